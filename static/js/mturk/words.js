// A HIT of word alignment that runs without the server.

import { mount } from "../tasks/words.js";
import { begin } from "./hit.js";

begin(mount);
