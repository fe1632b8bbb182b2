export { type AccessLevel, App, type AppSettings, accessLevels, appSettings, MAX_CALLBACK_URLS } from './entity.ts';
export { loopbackCallbacks } from './loopback.ts';
export { callbackFault, checkCallbackUrls, OUT_OF_BAND, refusedCallbackSchemes } from './rules.ts';
