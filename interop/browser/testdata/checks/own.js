import { location as its, top } from "./exports.js";
seen.own = { mine: its.mine, size: top };
