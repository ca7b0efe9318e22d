/** 简体中文 (Simplified Chinese): findings of the connection check. The keys are those of `en.js`. */

/** @type {Record<import('./en.js').ServerId, { name: string, cors: (origin: string) => string, start: string }>} */
const servers = {
  ollama: {
    name: 'Ollama',
    cors: (origin) =>
      `退出 Ollama，再用 OLLAMA_ORIGINS="${origin}" ollama serve 启动（macOS 应用：launchctl setenv OLLAMA_ORIGINS "${origin}"；Windows：设置同名环境变量，然后重启）`,
    start: '请用 `ollama serve` 启动',
  },
  'lm-studio': {
    name: 'LM Studio',
    cors: () => '在 Developer → Server Settings 中打开“Enable CORS”，或用 `lms server start --cors` 启动',
    start: '请在 Developer 标签页中启动服务，或用 `lms server start --cors` 启动',
  },
  vllm: {
    name: 'vLLM',
    cors: (origin) => `用 vllm serve MODEL --allowed-origins '["${origin}"]' 启动`,
    start: '请用 `vllm serve MODEL` 启动',
  },
  'llama.cpp': {
    name: 'llama.cpp',
    cors: (origin) =>
      `llama-server 默认允许所有网页：请用 --cors-origins ${origin === '*' ? "'*'" : origin} 启动，并检查中间是否有代理`,
    start: '请用 `llama-server -m MODEL.gguf --port 8080` 启动',
  },
};

/** @param {string} name */
const quoted = (name) => `“${name.slice(0, 80)}”`;

/** @param {import('../../llm/check.js').FindingValues} values */
function allowing({ server, page, isSecure }) {
  const file =
    page === 'null'
      ? '本页是直接从文件打开的，其来源为“null”；通过 http 提供（./build.sh serve）后即可按名称允许。'
      : '';
  /** @param {typeof servers[import('./en.js').ServerId]} known */
  const how = (known) => known.cors(page === 'null' && known !== servers.vllm ? '*' : page);
  if (server !== null) {
    return `如果这是 ${servers[server].name}：${how(servers[server])}。如果已经这样做，请检查密钥：有些服务器在拒绝密钥时不会附带许可。${file}`;
  }
  if (isSecure) {
    return `服务器的运营者须允许来源 ${page}（Access-Control-Allow-Origin，并在 Access-Control-Allow-Headers 中加入 authorization 和 content-type）。托管服务往往不允许任何网页访问：请在前面架设自己的网关。${file}`;
  }
  const all = Object.values(servers).map((known) => `${known.name}：${how(known)}。`);
  return `请在服务器中允许来源 ${page}。${all.join('')}${file}`;
}

/** @param {string[]} models */
function choose(models) {
  if (models.length === 0) {
    return '请输入该服务器上已有模型的名称。（Ollama：`ollama list` 列出模型，`ollama pull NAME` 下载模型。）';
  }
  const more = models.length > 8 ? `，另有 ${models.length - 8} 个` : '';
  return `该服务器有：${models.slice(0, 8).map(quoted).join('、')}${more}。`;
}

/** @type {import('./en.js').CheckStrings} */
export const zhCheck = {
  config: [({ said }) => said, ({ hint }) => hint],
  answers: [({ model, origin }) => `${model} 在 ${origin} 正常应答。`, () => ''],
  'answers-unlisted': [
    ({ origin, model }) => `${origin} 有模型应答，但服务器的列表中没有 ${quoted(model)}。`,
    ({ reply, models }) => `它自称 ${quoted(reply)}。${choose(models)}`,
  ],
  'mixed-content': [
    () => '通过 https 提供的页面不能访问另一台机器上的 http 服务器。',
    () => '请为服务器配置 https 地址（带证书的反向代理），在局域网内通过 http 打开本页，或在本机运行服务器。',
  ],
  'no-model': [() => '没有指定模型。', ({ models }) => choose(models)],
  policy: [
    () => '本页的安全策略不允许向该服务器发送请求。',
    ({ origin }) => `本页的提供者须将 ${origin} 加入 Content-Security-Policy 的 connect-src。`,
  ],
  'local-network': [
    () => '浏览器不允许本页访问本机或局域网内的服务器。',
    () => '请点击地址左侧的图标，允许本网站“访问本地网络”，然后重新检查。',
  ],
  redirect: [
    () => '服务器把请求转向另一个地址，程序不会跟随。',
    () => '请输入最终地址：常见的是把 http 改为 https，或去掉末尾的斜杠。',
  ],
  cors: [() => '服务器有应答，但不允许本页读取（CORS）。', allowing],
  unreachable: [
    ({ origin }) => `${origin} 没有本页可以读取的应答。`,
    (values) => {
      const { server, isCrossing, isSafariBlocked } = values;
      const start =
        server === null
          ? '服务器是否在运行？主机和端口是否正确？'
          : `${servers[server].name} 是否在运行？如果没有，${servers[server].start}。`;
      const prompt = isCrossing ? '如果浏览器询问本网站能否访问本地网络，请允许。' : '';
      const safari = isSafariBlocked
        ? 'Safari 不允许 https 页面访问 http 服务器，即使在本机也是如此：请使用其他浏览器。'
        : '';
      return `${start}${prompt}${safari}如果它在运行，则是它不允许本页访问。${allowing(values)}`;
    },
  ],
  'key-refused': [
    () => '服务器拒绝了密钥。',
    () => '请重新输入该服务器的密钥，不要带空格。有些服务器要求使用其他请求头（Azure：api-key）。',
  ],
  'no-credit': [() => '该密钥所属账户已没有余额。', () => '请为该账户充值，或使用其他密钥。'],
  'model-unknown': [({ model }) => `服务器没有模型 ${quoted(model)}。`, ({ models }) => choose(models)],
  path: [
    () => '服务器有应答，但该地址不是语言模型。',
    ({ better, address }) =>
      better === null
        ? `请检查地址：询问的是 ${address}。大多数服务器的地址以 /v1 结尾。`
        : `请使用地址 ${better}。`,
  ],
  busy: [() => '服务器的请求过多。', () => '连接正常。请稍候再问。'],
  slow: [() => '服务器没有及时应答。', () => '它可能正在加载模型。请一分钟后再检查。'],
  server: [() => '服务器出错。', () => '请查看服务器日志：模型可能超出其内存。'],
  cancelled: [() => '检查已取消。', () => ''],
  protocol: [({ said }) => said, () => '这是使用该协议的对话模型的地址吗？'],
  'device-answers': [({ model }) => `${model} 在此设备上正常应答。`, () => ''],
  'browser-ready': [() => '此浏览器的模型已就绪。', () => ''],
  'browser-download': [
    () => '此浏览器没有已就绪的语言模型。',
    () => '浏览器可以下载其模型：打开 chrome://on-device-internals，下载完成后再检查。',
  ],
  'browser-missing': [() => '此浏览器没有已就绪的语言模型。', () => '请改用服务器，例如本机的 Ollama。'],
};
