// A HIT of best–worst scaling that runs without the server.

import { mount } from "../tasks/bws.js";
import { begin } from "./hit.js";

begin(mount);
