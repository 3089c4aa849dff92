// Entry of a standalone file. What it holds is put in the server's place before anything is asked.

import "./install.js";
import "../main.js";
