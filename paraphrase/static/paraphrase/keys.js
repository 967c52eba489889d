// The usual keys of the answers. The keys of the numbers, which go to a candidate, stay the same.

export const KEYS = { yes: "y", no: "n", none: "0" };
