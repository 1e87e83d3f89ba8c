import { deep } from "/js/deep.js";
export const far = deep, farAt = new URL("./asset.txt", import.meta.url).href;
