// A HIT of paraphrases in context that runs without the server.

import { mount } from "../tasks/paraphrase.js";
import { begin } from "./hit.js";

begin(mount);
