// A HIT of chunk alignment that runs without the server.

import { mount } from "../tasks/chunks.js";
import { begin } from "./hit.js";

begin(mount);
