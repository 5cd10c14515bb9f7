/** Bounds of what a foreign answer may hold. */
// @ts-nocheck


/** Most storage keys that one result may answer: a bound on time and memory that no real request comes near. */
export const maxStorageKeys = 16384;
