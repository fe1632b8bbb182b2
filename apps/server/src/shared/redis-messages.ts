/** Messages between the servers of a platform, over publish and subscribe. */
import { randomText, systemRandom } from '../world/random.ts';
import type { RedisLink } from './redis-link.ts';
import type { Messages } from './shared-state.ts';

export class RedisMessages implements Messages {
  readonly #link: RedisLink;
  readonly #channel: string;
  /** Of this server, whose own messages it gets as well. */
  readonly #sender = randomText(systemRandom, 22);
  readonly #listeners = new Map<string, ((text: string) => void)[]>();
  readonly #onGap: (() => void)[] = [];

  private constructor(link: RedisLink, channel: string) {
    this.#link = link;
    this.#channel = channel;
  }

  /** Begins to listen. @throws SharedStateError */
  static async open(link: RedisLink, channel: string): Promise<RedisMessages> {
    const messages = new RedisMessages(link, channel);
    await link.subscribe(channel, (message) => messages.#receive(message));
    link.onReconnect(() => {
      for (const listener of messages.#onGap) listener();
    });
    return messages;
  }

  send(topic: string, text = ''): void {
    // Whoever could not be told looks again when the connection is back.
    this.#link.publish(this.#channel, `${this.#sender} ${topic} ${text}`).catch(() => {});
  }

  on(topic: string, listener: (text: string) => void): void {
    this.#listeners.set(topic, [...(this.#listeners.get(topic) ?? []), listener]);
  }

  onGap(listener: () => void): void {
    this.#onGap.push(listener);
  }

  #receive(message: string): void {
    const [, sender, topic = '', text = ''] = /^(\S+) (\S+) (.*)$/s.exec(message) ?? [];
    if (sender === undefined || sender === this.#sender) return;
    for (const listener of this.#listeners.get(topic) ?? []) listener(text);
  }
}
