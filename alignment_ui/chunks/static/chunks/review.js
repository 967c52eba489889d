// The functions with which a reviewer decides between the parts of several answers.

export { conflict, lacking, parts, withPart } from "./parts.js";
