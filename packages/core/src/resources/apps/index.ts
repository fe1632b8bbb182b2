export {
  type AccessLevel,
  App,
  type AppSettings,
  accessLevels,
  appSettings,
  MAX_CALLBACK_URLS,
  MAX_FRAME_ORIGINS,
} from './entity.ts';
export { loopbackCallbacks } from './loopback.ts';
export { callbackFault, checkCallbackUrls, checkFrameOrigins, OUT_OF_BAND, refusedCallbackSchemes } from './rules.ts';
