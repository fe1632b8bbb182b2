/** The delays after which members are processed. */
export const processingProfiles = ['fast', 'documented'] as const;

/** Name of a delay. */
export type ProcessingProfile = (typeof processingProfiles)[number];
