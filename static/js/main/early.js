// The layout worker, started before the page's other modules are here: its own are fetched meanwhile.

import { LayoutClient } from "../layout/client.js";

/** One for the whole page. */
export const layout = new LayoutClient();
layout.warm();
