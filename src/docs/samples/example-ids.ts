// The ids in the examples of the API description.
export const exampleIds = {
  lead: '1a1fb47365400000100000001nTelzbbSjlh',
  call: '1a1fb4f1c2a00000100000001Xh2mPq9RtLw',
  key: 'key_sYtL0wJvB4qzN1dE',
  member: 'mem_8fKq2LmZx0WvT3nR',
  consent: 'con_1a1f813ab28Xh2mPq9RtLw',
  event: 'evt_x81Kp200000000c10',
  source: 'src_Zq81Kc5vTyLm0BdXs3Ra',
  webhook: 'wh_4fX9sQ2mLk7TzB1nVw0c',
  test: 'test-4fB7kQ2mX9aLcW1zR8tYpE',
} as const
