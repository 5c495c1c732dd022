/** The API keys that the lab's cloud has had, by name: on no command line, so that the journal holds none of ours. */
export const keys = {
  first: 'f1rst-key-that-nobody-may-see',
  next: 's3cond-key-that-nobody-may-see',
};
