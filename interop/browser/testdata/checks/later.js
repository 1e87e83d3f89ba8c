export const later = 7, from = import.meta.url;
