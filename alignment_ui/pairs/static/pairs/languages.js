// The languages of the two sentences, which are that of the study's texts if the question does not name them.

export function languagesOf(content, language) {
  return [0, 1].map((side) => content.languages?.[side] || language);
}

/** Whether the sentences are in different languages, rather than in two varieties of one. */
export function areAcross(languages) {
  const [first, second] = languages.map((tag) => (tag ?? "").split("-")[0].toLowerCase());
  return first !== second;
}
