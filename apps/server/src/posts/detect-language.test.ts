import { spawnSync } from 'node:child_process';
import { costRatio } from '@broadside/cost-ratio';
import { describe, expect, test } from 'vitest';
import { detectLanguage } from './detect-language.ts';

describe('the language of a text', () => {
  test.each([
    ['en', 'The meeting was moved to Thursday, see you there!'],
    ['de', 'Heute Abend gehen wir ins Kino, kommst du mit?'],
    ['fr', 'Je ne sais pas encore si je viendrai demain'],
    ['es', '¿Alguien sabe a qué hora empieza el partido?'],
    ['pt', 'Hoje vou ficar em casa porque está chovendo muito'],
    ['it', 'Stasera mangiamo la pizza con gli amici'],
    ['nl', 'Vandaag blijf ik lekker thuis op de bank'],
    ['sv', 'Idag ska vi åka till havet med barnen'],
    ['pl', 'Dzisiaj jest bardzo ładna pogoda w Warszawie'],
    ['tr', 'Bugün hava çok güzel, dışarı çıkalım'],
    ['id', 'Hari ini saya mau pergi ke pasar bersama ibu'],
    ['fi', 'Tänään on todella kaunis päivä'],
    ['hu', 'Ma nagyon szép idő van, menjünk sétálni'],
    ['vi', 'Hôm nay trời đẹp quá'],
    ['ru', 'Сегодня отличная погода для прогулки'],
    ['uk', 'Сьогодні чудова погода для прогулянки'],
    ['ar', 'الطقس جميل جدا اليوم'],
    ['fa', 'امروز هوا خیلی خوب است'],
    ['hi', 'आज मौसम बहुत अच्छा है'],
    ['ja', '今日はとても良い天気ですね'],
    ['zh', '今天天气很好，我们去公园吧'],
    ['ko', '오늘 날씨가 정말 좋네요'],
    ['th', 'วันนี้อากาศดีมาก'],
    ['he', 'מזג האוויר יפה היום'],
    ['el', 'Σήμερα ο καιρός είναι υπέροχος'],
  ])('is %s for %s', async (language, text) => {
    expect(await detectLanguage(text)).toBe(language);
  });

  test.each([
    '',
    ' ',
    '12345',
    'ok',
    'lol',
    'https://example.com/the-weather-is-nice-today',
    '@alice @bob',
    '#weekend #sunshine',
    '$ABC 👍🏽🎉',
    '\uD83D',
  ])('is unknown for %j', async (text) => {
    expect(await detectLanguage(text)).toBe('und');
  });

  test('is that of the words: links, mentions and tags do not count', async () => {
    const entities = 'https://example.com/the/weather/is/nice @the_weather_today #thisisenglish #nothingelse';
    expect(await detectLanguage(`${entities} Heute Abend gehen wir ins Kino`)).toBe('de');
  });

  test('is the same for composed and decomposed letters, and each time', async () => {
    const text = 'Tänään on todella kaunis päivä';
    const answers = await Promise.all([text, text.normalize('NFD'), text].map(detectLanguage));
    expect(answers).toEqual(['fi', 'fi', 'fi']);
  });

  test('holds up nothing while the tables are loaded, in each process for the first text', () => {
    const module = new URL('./detect-language.ts', import.meta.url).href;
    // The same work in this thread takes many times as long as asking another one.
    const script = `
      const { detectLanguage } = await import(${JSON.stringify(module)});
      const used = () => { const { user, system } = process.threadCpuUsage(); return user + system; };
      const before = used();
      const language = await detectLanguage('Heute Abend gehen wir ins Kino');
      const asked = used() - before;
      await import('eld/extrasmall');
      process.stdout.write(JSON.stringify({ language, share: asked / (used() - before - asked) }));
    `;
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--conditions=@broadside/source', '--input-type=module', '--eval', script],
      { encoding: 'utf8', cwd: import.meta.dirname },
    );
    expect(stdout, stderr).not.toBe('');
    const { language, share } = JSON.parse(stdout);
    expect(language).toBe('de');
    expect(share).toBeLessThan(0.5);
  });

  test('takes time that does not grow with the square of a text that is far longer than a post', async () => {
    await detectLanguage('warm up the tables of words');
    for (const unit of ['@', 'word ', 'a.', '\u0301\u0323', '漢', 'é']) {
      const [long, short] = [unit.repeat(480_000), unit.repeat(30_000)];
      const ratio = await costRatio(
        () => detectLanguage(long),
        () => detectLanguage(short),
        100,
      );
      expect(ratio, unit).toBeLessThan(100);
    }
  });
});
