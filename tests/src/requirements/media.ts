/** Reference, creatives section 13, and the issue of data retrieval: uploads, and media that are served. */
import type { OperationRows } from '../support/operation-row.ts';
import { type Requirements, wire } from '../support/requirement.ts';

export const requirements: Requirements = {
  'R-UPLOAD-IMAGE': {
    clause: 'R creatives 13, simple; 4 media',
    text: 'an image that comes at once can be posted at once and is served byte for byte',
    on: wire,
  },
  'R-UPLOAD-GIF': {
    clause: 'R creatives 13, category to library',
    text: 'an animated GIF that comes at once can be posted at once, as an animated GIF',
    on: wire,
  },
  'R-UPLOAD-KEY': {
    clause: 'R creatives 13, media_key',
    text: 'without a category the bytes decide, and only version 2 tells the key',
    on: wire,
  },
  'R-UPLOAD-SEGMENTS': {
    clause: 'R creatives 13, chunked',
    text: 'segments make the bytes again, whatever their order and how often they come',
    on: wire,
  },
  'R-UPLOAD-PROCESSING': {
    clause: 'R creatives 13, processing state; 4 media',
    text: 'a video goes from pending over in_progress to succeeded',
    on: wire,
  },
  'R-UPLOAD-PROCESSING-FAILED': {
    clause: 'R creatives 13, processing_info.error',
    text: 'a video that is broken fails with the reason',
    on: wire,
  },
  'R-UPLOAD-LIES': { clause: '4 media', text: 'what the bytes are not, they cannot be said to be', on: wire },
  'R-UPLOAD-REFUSED-AGAIN': {
    clause: 'R creatives 13, FINALIZE',
    text: 'an image that was refused at FINALIZE is refused again, and its status says why',
    on: wire,
  },
  'R-UPLOAD-INCOMPLETE': {
    clause: 'R creatives 13, FINALIZE',
    text: 'FINALIZE names the segments that are missing and the bytes that differ',
    on: wire,
  },
  'R-UPLOAD-OWNER': {
    clause: 'R creatives 13, additional_owners; R auth 6',
    text: 'an upload is its owner’s alone, and those who were named may post what came of it',
    on: wire,
  },
  'R-UPLOAD-AUTH': { clause: 'R auth 7, media upload', text: 'who may not upload is told so', on: wire },
  'R-UPLOAD-TOO-LARGE': {
    clause: 'R creatives 13, limits; 4 media',
    text: 'what is larger than a request may be is refused while it arrives, and nothing of it stays',
    on: wire,
  },
  'R-UPLOAD-NO-BYTES': {
    clause: 'R creatives 13, simple',
    text: 'without bytes, or with none, nothing is uploaded',
    on: wire,
  },
  'R-UPLOAD-BASE64': { clause: 'R creatives 13, media_data', text: 'bytes come in base64 as well', on: wire },
  'R-UPLOAD-EXPIRY': {
    clause: 'R creatives 13, unused media',
    text: 'what nothing uses goes after 24 hours, what a post uses stays',
    on: wire,
  },
  'R-UPLOAD-RESTART': { clause: '4 media', text: 'an upload outlives a restart, at every step', on: wire },
  'R-UPLOAD-SIDE-BY-SIDE': {
    clause: '4 media',
    text: '50 uploads at a time do not get into each other’s way',
    on: wire,
  },
  'R-UPLOAD-RATE': { clause: 'R conventions 9', text: 'each step of an upload counts against its limit', on: wire },
  'R-UPLOAD-ALIAS': { clause: 'R creatives 13', text: 'version 1.1 has a path without its ending too', on: wire },
  'R-UPLOAD-COMMANDS': {
    clause: 'R creatives 13, command',
    text: 'version 1.1 takes its commands in the query, in a form and in parts, with the bytes first or last',
    on: wire,
  },
  'R-UPLOAD-COMMAND-UNKNOWN': {
    clause: 'R creatives 13, command',
    text: 'a command that version 1.1 does not have is refused',
    on: wire,
  },
  'R-UPLOAD-BODY-HASH': { clause: 'R auth 2', text: 'oauth_body_hash covers a body with parts', on: wire },
  'R-UPLOAD-HOSTILE': {
    clause: '4 proof',
    text: 'whatever is sent to an upload is its sender’s mistake, and leaves nothing behind',
    on: wire,
  },
  'R-UPLOAD-BROKEN-OFF': {
    clause: '4 media',
    text: 'a connection that breaks in the middle of an upload leaves nothing behind',
    on: wire,
  },
  'R-UPLOAD-TOO-LARGE-TOLD': { clause: '4 media', text: 'who sends too much reads why', on: wire },
  'R-UPLOAD-ENDLESS': { clause: '4 media', text: 'who would never end is stopped', on: wire },
  'R-UPLOAD-KILLED': {
    clause: '4 media',
    text: 'a video whose server is killed after FINALIZE is processed by the next one',
    on: wire,
  },
  'R-UPLOAD-BEGIN-REFUSED': {
    clause: 'R creatives 13, INIT and limits',
    text: 'an upload does not begin with parameters that are malformed or beyond their limits',
    on: wire,
  },
  'R-UPLOAD-SEGMENT-INDEX': {
    clause: 'R creatives 13, segment_index',
    text: 'segments are numbered from 0 to 999',
    on: wire,
  },
  'R-UPLOAD-SUBTITLES': {
    clause: 'R creatives 13, media_category',
    text: 'subtitles are refused before they are sent',
    on: wire,
  },
  'R-UPLOAD-APP-RATE': {
    clause: 'R conventions 9',
    text: 'all users of an app together have a limit for each day, whose end the refusal names',
    on: wire,
  },
  'R-MEDIA-SERVED': {
    clause: '4 media',
    text: 'anybody may look at media that are shown, and keep what they saw',
    on: wire,
  },
  'R-MEDIA-RANGE': { clause: '4 media', text: 'media are served in part to those who ask for a part', on: wire },
  'R-MEDIA-READ-ONLY': { clause: '4 media', text: 'nobody writes where media are served', on: wire },
  'R-MEDIA-S3': { clause: '4 media', text: 'in an S3-compatible store everything goes as in files', on: wire },
  'R-MEDIA-NOTHING': { clause: '4 media', text: 'where no media are, there is nothing', on: wire },
};

export const operations: OperationRows = {
  'media.upload': { route: 'POST /2/media/upload', optional: 'media_category media_type additional_owners' },
  'media.initialize': {
    route: 'POST /2/media/upload/initialize',
    required: 'total_bytes media_type',
    optional: 'media_category additional_owners',
  },
  'media.append': { route: 'POST /2/media/upload/:id/append', required: 'segment_index' },
  'media.finalize': { route: 'POST /2/media/upload/:id/finalize' },
  'media.status': { route: 'GET /2/media/upload', command: 'STATUS', required: 'media_id' },
  'media_v1.upload': { route: 'POST /1.1/media/upload.json', optional: 'media_category additional_owners' },
  'media_v1.init': {
    route: 'POST /1.1/media/upload.json',
    command: 'INIT',
    required: 'total_bytes media_type',
    optional: 'media_category additional_owners',
  },
  'media_v1.append': { route: 'POST /1.1/media/upload.json', command: 'APPEND', required: 'media_id segment_index' },
  'media_v1.finalize': { route: 'POST /1.1/media/upload.json', command: 'FINALIZE', required: 'media_id' },
  'media_v1.status': { route: 'GET /1.1/media/upload.json', command: 'STATUS', required: 'media_id' },
};
