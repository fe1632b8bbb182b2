// Has libSQL servers acknowledge a commit once it is on disk: node durability.mjs ADMIN_URL...
for (const admin of process.argv.slice(2)) {
  const address = `${admin}/v1/namespaces/default/config`;
  for (let attempt = 1; ; attempt++) {
    try {
      const config = await (await fetch(address)).json();
      const body = JSON.stringify({ ...config, durability_mode: 'strong', max_db_size: null });
      const answer = await fetch(address, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
      break;
    } catch (error) {
      // It is starting.
      if (attempt === 60) throw error;
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
}
