export const location = { mine: true };
const top = 3;
export { top };
