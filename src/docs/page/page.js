// Shows the API description with Swagger UI. "Try it" sends to this origin: the description's server is `/`.

/** Every answer has the same dozen headers: they are folded away until somebody asks. */
const foldHeaders = ({ React }) => ({
  wrapComponents: {
    headers: (Headers) => (props) =>
      React.createElement(
        'details',
        { className: 'answer-headers' },
        React.createElement('summary', null, 'Headers'),
        React.createElement(Headers, props),
      ),
  },
})

window.SwaggerUIBundle({
  url: '/openapi.json',
  domNode: document.getElementById('reference'),
  plugins: [foldHeaders],
  deepLinking: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  // Its default is a service of others that fetches and judges the description.
  validatorUrl: null,
})
