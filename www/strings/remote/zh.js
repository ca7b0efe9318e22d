/** A library on a server, in Chinese. */

/** @param {number} n */
const number = (n) => n.toLocaleString('zh');

/** @type {import('./en.js').RemoteStrings} */
export const zhRemote = {
  steps: {
    'library-list': '资料库目录',
    'library-ask': '向资料库提问',
    'library-document': '资料库中的文件',
  },

  remote: {
    label: (where) => `${where} 的资料库`,
    documents: (where) => `${where} 的文件`,
    connecting: (where) => `正在连接 ${where}…`,
    asked: (where) => `同时询问 ${where}`,
    askedMore: (where) =>
      `问题会发送到 ${where}，您的文件不会。该处的文件只有被引用或打开的部分会传来，且不会存储。`,
    notAsked: (where) => `问题不会发送到 ${where}。`,
    find: '按名称查找文件',
    more: (n) => `另有 ${number(n)} 份文件，请按名称查找。`,
    unlisted: (listed, all) =>
      `该资料库有 ${number(all)} 份文件，此处列出前 ${number(listed)} 份。只要排除了其中一份，就只在列出的文件中查找。`,
    again: '重试',
    noDocuments: (where) => `${where} 没有您可查阅的文件。`,
    textDocument: '不分页',

    progress: (where, step, done, total) =>
      `${where}：${step === '' ? '正在回答' : step}${total > 0 ? `，${number(done)}/${number(total)}` : ''}…`,
    comparing: (where, done, total) => `${where}：正在将引文与文件比对，${number(done)}/${number(total)}…`,
    without: '不再等待',

    silentThere: (where) => `${where} 的文件没有回答此问题。`,
    silentHere: '此浏览器中的文件没有回答此问题。',
    failedHere: '无法检索此浏览器中的文件。',
    skipped: (where) => `未等待 ${where} 的回答。`,
    writtenThere: (where) => `引用 ${where} 文件的部分由该处的模型撰写。`,
    unheld: (n) => `有 ${number(n)} 个句子中的数字、日期、义务与否定未能在此核对：文件没有完整传来。`,
    writtenHere: ({ name, where }) =>
      `引用此浏览器中文件的部分由 ${[name, where].filter(Boolean).join('，') || '模型'} 撰写。`,
    compared: (where, n) => `来自 ${where} 的 ${number(n)} 条引文均已在本设备上与传来的文件比对。`,
    unchecked: (where, n, total) =>
      `来自 ${where} 的 ${number(total)} 条引文中有 ${number(n)} 条无法比对：文件没有传来。`,
    notFound: (where, n, total) =>
      `来自 ${where} 的 ${number(total)} 条引文中有 ${number(n)} 条不在所引文件中，无论服务器如何声称。`,

    missing: (where, why) => `此文件的一部分没有从 ${where} 传来：${why}`,
    request: (id) => `请求编号 ${id}。`,
    said: (said) => `服务器称：“${said}”。`,
    wait: (seconds) => `它要求等待 ${number(seconds)} 秒。`,
  },

  reasons: {
    address: [() => '资料库的地址无法使用', '请告知网站管理员：地址须以 https:// 开头，本机可用 http://。'],
    token: [(where) => `没有 ${where} 的登录信息`, '请重新登录并刷新页面。'],
    unauthorized: [(where) => `${where} 不接受当前登录`, '请重新登录后再试。'],
    forbidden: [(where) => `${where} 不允许此操作`, '请向资料库管理员申请权限。'],
    'not-found': [(where) => `${where} 没有资料库`, '请告知网站管理员：检查资料库的地址。'],
    'document-unknown': [
      (where) => `${where} 没有此文件，或您无权查阅`,
      '它可能已被移除，或您的权限已经终止。',
    ],
    'rate-limited': [(where) => `${where} 请求过多`, '请稍候再试。'],
    unavailable: [(where) => `${where} 的服务器无法访问其资料库`, '请稍后再试。'],
    timeout: [(where) => `${where} 没有及时回答`, '请重试，或减少查找的文件。'],
    'server-error': [(where) => `${where} 出错`, '请重试；若仍然如此，请告知资料库管理员。'],
    refused: [(where) => `${where} 拒绝了此请求`, '请缩短问题，或减少查找的文件。'],
    offline: [(where) => `没有网络，无法询问 ${where}`, '恢复网络后会再次连接。'],
    unreachable: [(where) => `无法连接 ${where}`, '它可能已停机，或不允许此页面询问。请重试。'],
    policy: [
      (where) => `此页面的策略不允许向 ${where} 发送请求`,
      '请告知网站管理员：把其来源加入 Content-Security-Policy 的 connect-src。',
    ],
    'cut-off': [(where) => `与 ${where} 的连接在回答途中断开`, '请重新提问。'],
    'bad-reply': [(where) => `${where} 的回复不是资料库的回复`, '请告知网站管理员：资料库可能是另一版本。'],
    'too-large': [(where) => `${where} 的回复超出页面所能接收`, '请减少查找的文件。'],
    changed: [(where) => `${where} 的文件已不是当初所引的文件`, '请重新提问：该答案出自它先前的内容。'],
    cancelled: [() => '已取消', ''],
  },
};
