/** Parameters that name media in a library and describe them. */
import { object } from '../../wire/object.ts';
import { removable, text } from '../../wire/types.ts';
import { libraryTextLimits } from './entity.ts';

/** Media in the library of the account. */
export const media_key = text({ max: 64 }).describe('The media.');

const { name, file_name, title, description } = libraryTextLimits;

/** The texts of an advertiser about media, on adding them. */
export const textsOfNew = object(() => ({
  description: text({ max: description }).optional().describe('A description, of a video or an animated GIF.'),
  file_name: text({ max: file_name }).optional().describe('The name of the file.'),
  name: text({ max: name }).optional().describe('A label.'),
  poster_media_key: text({ max: 64 })
    .optional()
    .describe('An image of the library to show until the video plays; its first frame when left out.'),
  title: text({ max: title }).optional().describe('A title, of a video or an animated GIF.'),
}));

/** The same on a change. */
export const changedTexts = object(() => ({
  description: removable(textsOfNew.shape.description.unwrap())
    .optional()
    .describe('A description; empty to remove it.'),
  file_name: removable(textsOfNew.shape.file_name.unwrap())
    .optional()
    .describe('The name of the file; empty to remove it.'),
  name: removable(textsOfNew.shape.name.unwrap()).optional().describe('A label; empty to remove it.'),
  poster_media_key: removable(textsOfNew.shape.poster_media_key.unwrap())
    .optional()
    .describe('An image of the library to show until the video plays; empty for its own still.'),
  title: removable(textsOfNew.shape.title.unwrap()).optional().describe('A title; empty to remove it.'),
}));
