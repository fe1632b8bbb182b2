/** The values that the test hands over to the drivers, as JSON in one variable. */
import { z } from 'zod';

export const environmentSchema = z.object({
  credentials: z.looseObject({
    consumer_key: z.string(),
    consumer_secret: z.string(),
    access_token: z.string(),
    access_token_secret: z.string(),
    bearer_token: z.string(),
    callback_url: z.string(),
    user_id: z.string(),
    screen_name: z.string(),
    password: z.string(),
    account_id: z.string(),
  }),
  /** Posts of the demonstration. */
  posts: z.array(z.string()),
  /** Accounts in the sandbox that no other driver uses: two of the SDK in Python, one of twitter-api-v2, one of Go. */
  accounts: z.array(z.string()),
  /** Features that the accounts have. */
  features: z.array(z.string()),
  /** A directory with files to upload. */
  media: z.string(),
});

/** See {@link environmentSchema}. */
export type DriverEnvironment = z.infer<typeof environmentSchema>;
