/** The ids of requirements, which tests and the notes of a release cite. */
import { requirements } from '../requirements.ts';
import { pin } from './pin.ts';

pin('requirements', { 'ids.txt': `${Object.keys(requirements).sort().join('\n')}\n` });
