/** The kinds of jobs that this version does. A test compares them with those that a world registers. */
export const jobKinds = [
  'audience.process',
  'audience.recount',
  'media.delayed',
  'media.expire',
  'media.hold_blobs',
  'media.process',
  'media.remove_blobs',
  'members.sweep',
  'moderation.settle',
  'people.carry_out_deletion',
  'people.delete',
  'people.delete_app',
  'posts.publish',
];
