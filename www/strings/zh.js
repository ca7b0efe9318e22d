/**
 * 简体中文 (Simplified Chinese). The keys are those of `en.js`; `tsc` and `strings.test.js` hold the two together.
 *
 * More than 600 lines: a table.
 */

const numbers = new Intl.NumberFormat('zh-CN');
/** @param {number} n */
const number = (n) => numbers.format(n);

/** @param {(string | null | undefined | false)[]} parts */
const list = (parts) => parts.filter(Boolean).join('、');

/** @param {number} seconds */
const timeLeft = (seconds) => {
  if (seconds < 60) return '剩余不到一分钟';
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `约剩 ${number(minutes)} 分钟` : `约剩 ${number(Math.round(minutes / 60))} 小时`;
};

/** @param {{ name?: string, where?: string }} model @param {string} otherwise */
const at = ({ name, where }, otherwise) =>
  name && where ? `${where} 的 ${name}` : name || where || otherwise;

/** @type {Record<string, string>} */
const stepNames = { rewrite: '改写', filter: '筛选', extract: '摘录', read: '撰写', reflect: '核查' };

/** @param {string[]} steps */
const stepList = (steps) => steps.map((step) => stepNames[step] ?? step).join('、');

/** @type {import('./en.js').Strings} */
export const zh = {
  lang: 'zh',

  format: {
    number,
    bytes: (n) => {
      if (n < 1024 * 1024) return `${number(Math.max(1, Math.round(n / 1024)))} kB`;
      const mib = n / (1024 * 1024);
      return `${mib < 10 ? mib.toFixed(1) : number(Math.round(mib))} MB`;
    },
    time: (ms) => new Date(ms).toLocaleTimeString('zh-CN', { hour12: false }),
    date: (ms) => new Date(ms).toLocaleString('zh-CN', { dateStyle: 'medium', timeStyle: 'short' }),
    list,
    sentences: (sentences) => sentences.filter(Boolean).join(''),
    sentence: (text) =>
      text === ''
        ? ''
        : text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?。！？]$/.test(text) ? '' : '。'),
    page: ({ page, pageLabel = null }) => {
      if (page === null) return '';
      return pageLabel !== null && pageLabel !== String(page)
        ? `第 ${pageLabel} 页（PDF 第 ${page} 页）`
        : `第 ${page} 页`;
    },
    pages: (n) => `${number(n)} 页`,
  },

  widget: {
    lab: '它在我的文件上有多好？',
    labFailed: '无法载入实验室。',
    libraryWidth: '文件列表的宽度',
    viewerWidth: '查看器的宽度',
    ask: '就您的文件提问',
    close: '关闭',
    dropToAdd: '松开即可添加',
    documents: '文件',
    cancelled: '已取消。',
    libraryEmpty: '资料库已清空。',
    searchable: (name, pages) => `${name} 已可检索${pages > 0 ? `，共 ${number(pages)} 页` : ''}。`,
    progress: (name, page, total) => `${name}：第 ${page} 页，共 ${total} 页。`,
    dismiss: '关闭此提示',
    samplesFailed: '示例文件无法加载。',
    reload: '请重新加载页面后再试。',
    engineFailed: 'Pincite 无法启动',
    reloadOrClear: '请重新加载页面。若仍然如此，请清空资料库。',
  },

  welcome: {
    headline: ['每个答案都钉在', '原文字句', '上。'],
    lead: '将法律或监管文件（PDF 或 Word）拖到本页任意位置，然后提问。答案的每一句都引自您的文件，点击即可打开原文所在之处。文件不会离开此浏览器。',
    noDocument: '手头没有文件？试试示例',
    add: '添加',
    addAll: '全部添加',
    addSample: (title) => `添加示例：${title}`,
    suggestions: '建议的问题',
    try: '试问',
  },

  library: {
    lookIn: (name) => `检索 ${name}`,
    label: '资料库',
    documents: '文件',
    addDocuments: '添加文件',
    dropHint: 'PDF 或 Word，也可拖到此处',
    find: '按名称查找文件',
    some: (n, all) => `${number(n)} / ${number(all)}`,
    clearAll: '全部清除',
    clearQuestion: '要清空资料库吗？',
    removeAll: '全部移除',
    keep: '保留',
    used: (size) => `此浏览器中已占用 ${size}`,
    untilClosed: '此浏览器不保存本页面的文件：关闭页面后不再保留',
    saveAsFile: '另存为文件',
    notStored: '无法存入此浏览器。',
    notStoredHint: '在关闭页面之前仍可使用。如需保留，请将资料库另存为文件。',
    wordDocument: 'Word 文档',
    improving: '可以提问 · 正在改进检索',
    embedding: ({ secondsLeft, onGpu }) =>
      `正在用${onGpu ? '显卡' : '处理器'}改进检索：${timeLeft(secondsLeft)}`,
    preparing: (name) => `正在改进 ${name} 的检索`,
    adding: (name) => `正在添加 ${name}`,
    cancel: (name) => `取消 ${name}`,
    remove: (name) => `移除 ${name}`,
    dismiss: (name) => `关闭关于 ${name} 的提示`,
    removed: (name) => `已移除“${name}”。`,
    undo: '撤销',
    sameName: (name) => `已有同名文件。两者均保留，此文件显示为“${name}”。`,
    replaceEarlier: '替换较早的文件',
    keepBoth: '两者都保留',
    indexAgain: '重新读取',
    passwordOf: (name) => `${name} 的密码`,
    password: '密码',
    open: '打开',
    locked: '此 PDF 设有密码。',
    wrongPassword: '该密码无法打开此 PDF。',
    passwordStays: '密码只在本设备上使用，不会被保存。',
    warnings: (n) => `${number(n)} 条警示`,
    notes: (n) => `${number(n)} 条提示`,
    onPages: (pages, more) => `（第 ${pages.join('、')} 页${more > 0 ? `，另有 ${more} 页` : ''}）`,
  },

  jobs: {
    waiting: '等待中',
    download: (done, total) => (total === null ? `正在下载，${done}` : `正在下载，${done} / ${total}`),
    load: '正在打开',
    pages: (done, total) =>
      total > 0 ? `正在读取第 ${Math.max(1, done)} 页，共 ${total} 页` : '正在读取页面',
    layout: '正在识别段落、脚注和分栏',
    chunks: '正在识别章节',
    index: '正在准备检索',
    saving: '正在保存',
    cancelled: '已取消。此文件的内容均未保留。',
    documents: (done, total) => `第 ${number(done)} 份，共 ${number(total)} 份文件`,
    libraryCancelled: '已取消。此前添加的文件仍会保留。',
  },

  question: {
    label: '您的问题',
    ask: '提问',
    ready: '就您的文件提问',
    reading: '第一份文件读取完毕后即可提问',
    empty: '先添加文件，再提问',
  },

  filter: {
    label: '检索范围',
    document: '文件',
    allDocuments: '全部文件',
    several: (n, all) => `${all} 份文件中的 ${n} 份`,
    section: '章节',
    sectionExample: '第二章、第十九条、Rule 4.2.1',
    from: '日期自',
    to: '至',
    leaveOutRepealed: '不含已废止的内容',
    clear: '清除条件',
    lookingIn: (chosen) => `检索范围：${list(chosen)}`,
    fromDate: (date) => `自 ${date}`,
    toDate: (date) => `至 ${date}`,
    nothingRepealed: '不含已废止的内容',
  },

  bar: {
    withoutModel: '仅引用原文（不用人工智能）',
    answersBy: (model) => `由 ${at(model, '模型')} 作答`,
    enterKey: ({ name, where }) => `请输入 ${where || name} 的密钥`,
    newConversation: '新对话',
    backToConversation: '回到之前的对话',
    open: (servers) =>
      `到 ${servers} 的连接未加密：途经的任何人都能读取您的问题和所发送的段落。使用 https 地址可以避免。`,
  },

  places: {
    'this device': '本设备',
    'this site': '本网站',
    'this browser': '此浏览器',
    'an agent of this browser': '此浏览器中的智能代理',
  },

  conversation: {
    label: '答案',
    earlier: '此前的对话',
    save: '连同文件保存对话',
    begun: '已开始新的对话。此前的答案保留在下方。',
    goneBack: '已回到之前的对话。',
    earlierOnes: '以往的对话',
    nAnswers: (n) => `${number(n)} 个回答`,
    delete: (question) => `删除对话“${question}”`,
    deleted: (question) => `已删除“${question}”。`,
  },

  steps: {
    search: '正在检索文件',
    compare: '正在细读最相关的段落',
    passage: '正在拟写可能的答案',
    rewrite: '正在改写问题',
    filter: '正在筛选段落',
    extract: '正在摘录段落',
    read: '正在撰写答案',
    reflect: '正在核查答案',
    check: '连接检查',
    'agent-search': '代理的搜索',
    'agent-ask': '代理的提问',
    'agent-open_citation': '代理打开的引文',
  },

  skipped: {
    passage: '跳过了按可能的答案检索',
    rewrite: '跳过了问题改写',
    filter: '跳过了段落筛选',
    extract: '跳过了段落摘录',
    read: '模型未写出完整的答案',
    reflect: '跳过了答案核查',
  },

  answer: {
    reading: '正在阅读文件……',
    working: '处理中……',
    step: (step) => `${step}……`,
    draft: '模型正在撰写的内容，尚未核对',
    stop: '停止',
    stopped: '已停止。',
    stoppedDraft: '已停止。模型已写出的内容未经核对：',
    failed: '无法回答这个问题。',
    tryAgain: '请再试一次。',
    understood: (earlier) => `作为对“${earlier}”的追问理解`,
    turnsBefore: (n) => `本次对话中此前 ${number(n)} 个回答未发送：它们不是由此服务器上的模型作答的。`,
    turnsRemoved: (n) => `本次对话中此前 ${number(n)} 个回答未发送：其中引用的文件已不在资料库中。`,
    copy: '复制答案',
    saveWithDocuments: '连同文件保存',
    copied: (n) => `已复制，含 ${number(n)} 条引文。`,
    notCopied: '浏览器不允许复制。请选中答案，再用键盘复制。',
    quotation: (quote) => `“${quote}”`,
    sources: '出处',
    matches: (n, nOther) =>
      `${nOther === 0 ? '引文均与出处一致。' : nOther === n ? '引文与出处不一致之处已标明。' : `${n} 处引文中有 ${n - nOther} 处与出处一致，其余已标明。`}是否回答了您的问题，请您自行判断。`,
    documents: (n) => `${number(n)} 份文件`,
    mayNotAnswer: (nOther) =>
      `${nOther === 0 ? '以下段落按原文引用' : '以下段落与原文不一致之处已标明'}，未必能回答您的问题。`,
    searched: (where, nReading) =>
      `检索范围：${list(where)}${nReading === 0 ? '' : nReading === null ? '；其他文件仍在读取' : `；另有 ${nReading} 份仍在读取`}。`,
    nearest: '最接近的段落',
    alsoRelevant: (n) => `其他相关内容（${n}）`,
    wholePassage: '显示整段',
    wordsOnlyNoModel: '仅按词语检索：语义检索无法加载。',
    wordsOnly: '仅按词语检索：检索仍在改进中。',
    wordsFirst: '已在按词语找到的段落中作语义检索：检索仍在改进中。',
    wordsOnlySome: '部分文件仅按词语检索：这些文件的检索仍在改进中。',
    insufficient: '文件中没有相关内容。',
    extracted: '以下句子直接引自您的文件，未使用模型。',
    openSettings: '打开设置',
    unsupported: (kind, text) => `${kind}“${text}”在所引原文中找不到。`,
    unknownPassage: '模型引用了未提供给它的段落。',
    checkFailed: (found) => `该答案未通过核查：${found.join('；')}。`,
    notGrounded: '部分内容在段落中没有依据',
    notConsistent: '前后内容相互矛盾',
    notComplete: '没有回答问题的全部',
    missing: (missing) => `缺少：${missing.join('；')}。`,
    differ: (how) => `以下规定不一致（${how}）：`,
    preferred: (id) => `从日期看，现行有效的是 ${id}。`,
    noneInForce: '文件没有说明其中哪一项现行有效。',
    severalCases: '相关段落按不同情形分别作答，而问题没有指明是哪一种：',
    withdrawn: (id, status) => `引文 ${id} 不是现行规定：其所在章节注明${status}。`,
    laterEdition: (id, date, laterDate, later) =>
      `引文 ${id} 的日期为 ${date}，另有更新的版本（${laterDate}）：${later}。`,
    writtenBy: (model, passed) =>
      `由 ${at(model, '模型')} 撰写；每条引文都已在本设备上与文件核对${passed ? '，模型对自身答案的核查也未发现问题' : ''}。`,
    quoted: '引自您的文件，未使用模型。',
    rewrittenAs: '改写为',
    searchedFor: '检索内容',
    passagesKept: '采用的段落',
    glossary: '取自术语表',
    also: '同时检索',
    glossaryEntry: (term, words) => `${term}：${list(words)}`,
    requests: (n) => `${number(n)} 次请求`,
    call: (step, model, outcome, why) =>
      `${step}${at(model, '') && `（${at(model, '')}）`}：${outcome}${why && `，${why}`}`,
  },

  spoken: {
    answered: (n, lesser) => `已作答，附 ${number(n)} 条引文${lesser}。`,
    lesser: (n, status) => `，其中 ${n} 条${status}`,
    degraded: (n) => `有 ${number(n)} 个步骤未按计划进行。`,
    checkFailed: '该答案未通过核查。',
    unsupported: (n) => `有 ${number(n)} 处细节在所引原文中找不到。`,
    differ: '所引规定之间不一致。',
    severalCases: '相关段落按不同情形分别作答。',
    inForce: (n) => `有 ${number(n)} 条关于效力的警示。`,
    step: (step) => `${step}。`,
  },

  unsupported: {
    number: '数字',
    date: '日期',
    amount: '金额',
    modal: '措辞',
    negation: '措辞',
  },

  conflicts: {
    negation: '一项肯定，一项否定',
    modality: '一项允许，另一项要求',
    number: '数字或日期不同',
    wording: '同一规定的不同版本',
  },

  legalStatus: { repealed: '已废止', superseded: '已被取代', reserved: '保留' },

  citation: {
    removed: '已从资料库移除',
    label: (id, place, status) => `引文 ${id}：${place}${status === null ? '' : `，${status}`}`,
    title: (place, status, more) => `${place === null ? '' : `${place}\n`}${status}：${more}`,
    definedTerm: (name, id) => `定义术语：${name}，见于引文 ${id}`,
    refersTo: (name, id) => `${name}，为引文 ${id} 所援引`,
  },

  statuses: {
    verified: ['引文与出处一致', '所引文字与文件原文一致。'],
    ocr: ['文字识别', '所引文字与扫描页的识别文字一致，请与图像核对。'],
    tracked: ['修订未定', '所引文字涉及尚未接受或拒绝的插入或删除。'],
    differs: ['与页面不符', '文件在此声明的字母或数字与页面上绘制的不同，请以页面为准。'],
    repaired: ['已更正', '模型的引用有细微出入，此处显示的是文件原文。'],
    misattributed: ['出处不同', '模型把这段文字归于另一段落，此处才是原文所在。'],
    stitched: ['拼接而成', '模型把多处文字拼成一条引文，此处是其中之一。'],
    'not-found': ['未找到', '文件中没有这段文字。'],
    cited: ['仅引用、未摘录', '模型指出了这一段落但未摘录原文，请自行核对其内容。'],
  },

  degraded: {
    'sent-less': '模型可接收的内容少于配置要发送的内容：已减少发送',
    'failed-before': '该模型此前已失败',
    'cut-at-length': '答案达到长度上限，已被截断',
    unusable: '模型的回复无法使用',
    'parts-unread': '较长段落的部分内容未读取',
    'quotes-dropped': '部分摘录在原文中找不到，已舍弃',
  },

  outcomes: { open: '未答复', used: '已答复', unusable: '答复无法使用', failed: '失败' },

  evidence: {
    heading: '连同文件保存',
    lead: '把答案、引文及所引文件存成一个文件。收件人用浏览器即可打开，无需网络；每条引文都会在其设备上与其中的文件重新比对。',
    close: '关闭',
    scope: '保存范围',
    thisAnswer: '此答案',
    allAnswers: (n) => `整个对话：${number(n)} 个答案`,
    title: '标题',
    by: '保存人',
    date: '日期',
    whoExplained: '姓名与日期按您输入的写入，不填则没有。此外没有任何内容表明您的身份。',
    inside: '将写入的内容',
    total: (nAnswers, nDocuments, nPages, size) =>
      `${list([`${number(nAnswers)} 个答案`, `${number(nDocuments)} 份完整文件`, nPages > 0 && `${number(nPages)} 页`, size])}。`,
    fileSize: (size) => `连同阅读器和核对程序，文件大小约为 ${size}。`,
    nothingElse: '别的一概不写入：没有其他文件、其他问题、设置、密钥或模型地址。',
    lockedInside: (names) => `${list(names)}：本身设有密码，密码不会写入，收件人须自行知晓。`,
    gone: (names) => `已不在资料库中：${list(names)}。请重新添加后再保存。`,
    tooLarge: (size, most) => `这些文件共 ${size}；一个文件最多容纳 ${most}。`,
    lock: '用口令锁定文件',
    passphrase: '口令',
    passphraseAgain: '再次输入',
    passphraseHint: '五个互不相关的词是不错的口令。',
    strengths: {
      short: (n) => `至少 ${n} 个字符。`,
      weak: () => '较弱：拿到文件的人可能猜出。越长越好。',
      fair: () => '就长度而言尚可，再加一个词更好。',
      strong: () => '就长度而言较强，只要不是人所共知的语句。',
    },
    passphrasesDiffer: '两次输入不一致。',
    noRecovery: '没有口令，任何人都无法再打开此文件，您和我们也不例外。请用文件以外的途径告知收件人。',
    save: '保存文件',
    cancel: '取消',
    cancelled: '已取消，未保存任何内容。',
    progress: '正在保存',
    saved: (name, size) => `已保存为 ${name}，${size}。`,
    tell: '请用文件以外的途径（例如电话）把指纹告知收件人：打开文件时会显示指纹。',
    tellPassphrase: '口令也请用文件以外的途径告知。',
    fingerprint: '内容指纹',
    wholeFile: '整个文件的 SHA-256',
    saveFaults: {
      changed: '有一份文件的存储内容与读取时不同。请重新添加后再保存。',
      damaged: '有一个答案过大，无法写入。',
      'too-large': '这些答案过大，无法写入一个文件。',
      insecure: '此页面未经加密（http）打开，浏览器无法计算哈希。请用 https 打开。',
    },
    saveFailed: (why) => `无法生成文件${why && `：${why}`}。请重试。`,

    name: '答案及其文件',
    loading: '正在读取此文件…',
    locked: '此文件已锁定',
    lockedLead: '没有口令，其中的标题、问题、文件均无法读取。',
    unlock: '打开',
    unlocking: '正在打开…',
    cannotOpen: '无法打开此文件',
    faults: {
      absent: ['其中没有保存任何答案。', '请用“连同文件保存”保存一个答案。'],
      format: ['它由另一版本的 Pincite 保存，此页面不认识其格式。', '请对方重新保存一份。'],
      damaged: ['它不完整，或并非由 Pincite 生成。', '请对方重新发送。'],
      changed: ['此文件在保存后被更改过。', '请勿依赖它，请对方重新发送。'],
      passphrase: ['口令不正确。', '请重新输入，注意大小写。'],
      'too-large': ['它自称的大小超出页面所能容纳。', '请勿依赖它。'],
      insecure: ['此页面未经加密（http）打开，浏览器无法计算哈希。', '请把文件保存到磁盘后打开。'],
    },
    savedBy: '保存人',
    savedOn: '日期',
    asTyped: '姓名与日期由保存人自行填写。',
    proof: '指纹与哈希能证明什么',
    proofText: [
      '指纹代表其中的内容：答案、引文以及每份文件的 SHA-256，由此页面根据文件内容算出。请与发件人用其他途径告知的指纹比对：两者相同，则内容与文件均为保存时的原样。',
      '仅凭文件内部的哈希，只能证明没有损坏、没有无意的更改。故意更改内容的人也能一并更改哈希。',
      '显示这些的页面本身也在文件之中。若要连同页面一并确认，请用您自己的程序计算整个文件的 SHA-256 并与发件人的比对：Windows 用 certutil -hashfile 文件 SHA256，macOS 用 shasum -a 256 文件，Linux 用 sha256sum 文件。',
    ],
    contentsChanged: '此文件在保存后被更改过：其内容与生成哈希时不同。请勿依赖其中所述。',
    documentsChanged: (names) =>
      `此文件在保存后被更改过：${list(names)} 不是当时所引的文件，其引文不予比对。`,
    byModel: '由语言模型撰写。',
    byExtraction: '摘自文件原文，未使用模型。',
    laterElsewhere: '不在此文件中的另一份文件',
    documents: '其中的文件',
    open: '打开',
    saveDocument: '保存',
    openDocument: (name) => `打开 ${name}`,
    saveNamed: (name) => `保存 ${name}`,
    hash: 'SHA-256 值',
    hashMatches: '与所引文件逐字节相同。',
    hashDiffers: (expected) => `已被更改：所引文件的值为 ${expected}。`,
    waiting: '等待读取',
    reading: '正在读取…',
    read: '已在本设备上读取。',
    documentLocked: '本身设有密码，打开后才比对其引文。',
    documentWrongPassword: '此密码无法打开。',
    unread: (why) => `无法在此读取，其引文未予比对：${why}`,
    unchecked: ['未比对', '这些文字尚未与文件比对。'],
    notYet: '尚未与其中的文件比对。',
    checking: (n, total) => `正在与其中的文件比对引文：${number(n)}/${number(total)}…`,
    checked: (n, total, nUnchecked) =>
      `已在本设备上与其中的文件比对：${n === total ? '所有引文均与出处一致' : `${number(total)} 条引文中 ${number(n)} 条与出处一致，其余已标明`}${nUnchecked > 0 ? `；${number(nUnchecked)} 条无法比对` : ''}。是否回答了问题，请您自行判断。`,
    foundWorse: (id, saved, here) => `引文 ${id} 保存时为“${saved}”，此处为“${here}”。`,
    foundMoved: (id, saved, here) => `引文 ${id} 位于${here}，而非保存时所说的${saved}。此处显示${here}。`,
    foundUnplaced: (id) => `引文 ${id} 的文字确在文件中；高亮位置沿用保存时的记录，并非在此算出。`,
    foundQuotation: (statement) => `“${statement}”的引用与文件原文不符。`,
    foundUnsupported: (statement, words) => `“${statement}”：所引之处附近没有 ${list(words)}。`,
    nothingFound: (n) => (n === 0 ? '一切与保存时相符。' : `与保存时有 ${number(n)} 处不同。`),
  },

  viewer: {
    label: '文件查看器',
    tools: '查看工具',
    pages: '文件页面',
    text: '文件正文',
    page: '页码',
    of: (n) => `/ ${n}`,
    labelled: (page, n) => `（第 ${page} 页，共 ${n} 页）`,
    previous: '上一页',
    next: '下一页',
    zoomOut: '缩小',
    zoomIn: '放大',
    citations: '答案的引文',
    previousCitation: '上一条引文',
    nextCitation: '下一条引文',
    citedAt: (at, n) => `第 ${at} 条引文，共 ${n} 条`,
    fitText: '适合正文',
    fitPage: '适合整页',
    zoomed: (percent) => `缩放 ${Math.round(percent)}%。`,
    find: '在文件中查找',
    thumbnails: '缩略图',
    thumbnail: (page) => `第 ${page} 页`,
    print: '打印',
    save: '保存原文件',
    notSaved: '无法取得此文件，未能保存。',
    sections: '章节',
    readingSections: '正在读取章节……',
    noSections: '此文件没有标题，也没有书签。',
    sectionShown: (title, page) => (page > 0 ? `${title}，第 ${page} 页。` : `${title}。`),
    leadsNowhere: '此书签未指向文件中的任何页。',
    closePane: '关闭侧栏',
    close: '关闭查看器',
    opening: '正在打开文件……',
    staysLocked: '文件仍处于锁定状态。',
    otherPages: (shown, read) =>
      `查看器在此文件中找到 ${number(shown)} 页，而检索时读取了 ${number(read)} 页。所引文字可能在另一页，因此不作高亮。`,
    removed: '此文件已从资料库移除。重新添加该文件后，即可查看所引文字。',
    cannotBeShown: '此文件无法在此显示，但其文字仍可检索。',
    password: '文件密码',
    open: '打开',
    locked: '此文件设有密码。',
    wrongPassword: '密码不正确。',
    textShown: '文件正文。',
    wordsLit: (quote) => `所引文字已高亮：${quote}`,
    pageShown: (page, total) => `第 ${page} 页，共 ${total} 页。`,
    pageLit: (page, total, quote) => `第 ${page} 页，共 ${total} 页；所引文字已高亮：${quote}`,
    note: (marker) => `脚注 ${marker}`,
  },

  find: {
    label: '在文件中查找',
    next: '下一处',
    previous: '上一处',
    matchCase: '区分大小写',
    wholeWords: '整词匹配',
    close: '关闭查找',
    place: (at, n, isDone) => {
      if (!isDone) return n === 0 ? '正在查找……' : `第 ${number(at)} 处，已找到 ${number(n)} 处……`;
      return n === 0 ? '未找到' : `第 ${number(at)} 处，共 ${number(n)} 处`;
    },
    noMatch: (words) => `未找到“${words}”。`,
  },

  print: {
    title: '打印',
    close: '关闭打印对话框',
    pages: '页面',
    all: (n) => `全部 ${number(n)} 页`,
    one: (page) => `当前页（${page}）`,
    some: '部分：',
    range: '要打印的页面',
    example: '如：3，7-9',
    noPages: (n) => `请输入 1 至 ${number(n)} 之间的页码，如 3，7-9。`,
    mark: '标出所引文字',
    print: '打印',
    cancel: '取消',
    progress: (done, total) => `第 ${number(done)} 页，共 ${number(total)} 页`,
    cancelled: '已取消打印。',
    failed: '无法准备打印此文件。请一次少打印几页。',
    notLoaded: '无法加载打印对话框。请重新加载页面。',
  },

  tour: {
    start: '开始导览',
    begun: '页面导览已开始，按 Esc 键可结束。',
    back: '上一步',
    next: '下一步',
    done: '完成',
    skip: '跳过',
    place: (at, n) => `第 ${at} 步，共 ${n} 步`,
    failed: '无法加载导览。',
  },

  keyMap: {
    title: '键盘操作',
    close: '关闭键盘操作列表',
    failed: '无法加载键盘操作列表。',
    space: '空格',
    character: '字母',
  },

  keyPlaces: {
    page: '任何位置',
    question: '提问框',
    answer: '回答的引文',
    viewer: '文件查看器',
    find: '在文件中查找',
    sections: '章节',
    thumbnails: '缩略图',
    columns: '栏的边缘',
  },

  keyActions: {
    showKeys: '显示此列表',
    leave: '关闭最近打开的内容，或停止回答',
    ask: '提问',
    breakLine: '换行',
    nextCitation: '下一条引文',
    previousCitation: '上一条引文',
    firstCitation: '第一条引文',
    lastCitation: '最后一条引文',
    nextPage: '下一页',
    previousPage: '上一页',
    openNext: '打开下一条引文',
    openPrevious: '打开上一条引文',
    zoomIn: '放大',
    zoomOut: '缩小',
    fitText: '适合文字',
    fitPage: '适合整页',
    find: '在文件中查找',
    print: '打印文件',
    nextMatch: '下一处',
    previousMatch: '上一处',
    endSearch: '关闭查找',
    nextRow: '下一章节',
    previousRow: '上一章节',
    unfold: '展开，或进入下一级',
    fold: '折叠，或返回上一级',
    firstRow: '第一个章节',
    lastRow: '最后一个章节',
    openRow: '转到该章节',
    typeAhead: '以此开头的章节',
    nextThumbnail: '下一页',
    previousThumbnail: '上一页',
    firstThumbnail: '第一页',
    lastThumbnail: '最后一页',
    openThumbnail: '转到该页',
    moveLeft: '向左移动',
    moveRight: '向右移动',
    narrowest: '最窄',
    widest: '最宽',
    usualWidth: '默认宽度',
  },

  settings: {
    title: '设置',
    close: '关闭设置',
    use: '使用',
    remember: '在此浏览器中记住（不含密钥）',
    forget: '清除记录',
    forgotten: '已清除：地址、模型、配置、术语表、密钥和显卡选项。',
    sent: '使用模型时，您的问题和文件中的相关段落会发送给它；“已离开本设备的内容”逐条列出每次请求。不使用模型时，不发送任何内容。',
    givenBySite: (model) => `本网站已指定模型：${at(model, '')}。`,
    writtenBy: (name) => `答案由 ${name || '模型'} 撰写。`,
    fromDocuments: '答案仅引用原文（不用人工智能）。',
    profile: '答案配置',
    profileHelp: '规定此类答案的措辞、步骤和用量上限。',
    ownProfile: (title) => `自定义：${title}`,
    loadProfile: '载入自己的配置',
    downloadProfile: '下载当前配置',
    cannotBeUsed: (file) => `${file} 无法使用。`,
    used: (file) => `正在使用 ${file}。`,
    tooLarge: (kB) => `文件超过 ${kB} kB`,
  },

  glossary: {
    title: '术语表',
    help: '您提问时的用语及其在文件中的说法：每行一个术语，格式为“术语 = 其他说法; 更多说法”。它们会扩大检索范围；问题中用到的术语也会告知模型。',
    label: '术语，每行一个',
    example: '募投项目 = 募集资金投资项目\n董监高 = 董事、监事和高级管理人员; 董事; 监事',
    use: '使用术语表',
    load: '载入文件',
    undo: '撤销',
    clear: '清空',
    used: (n) => (n === 0 ? '未使用术语表。' : `正在使用术语表：${number(n)} 个术语。`),
    undone: '术语表已恢复到之前的状态。',
    badLine: (line) => `第 ${line} 行的格式不是“术语 = 其他说法”。`,
    tooMany: (n) => `术语表最多 ${number(n)} 个术语。`,
  },

  gpu: {
    label: '显卡',
    help: '显卡可以为语义检索准备段落。其结果会与处理器的结果核对，任何内容都不会离开本设备。',
    choices: { auto: '更快时使用', always: '始终使用', never: '不使用' },
    works: '显卡正在准备段落。',
    refused: (refusal) => {
      switch (refusal.kind) {
        case 'none':
          return '未使用：此浏览器无法访问显卡。';
        case 'software':
          return '未使用：此浏览器只是用软件模拟显卡。';
        case 'model':
          return '未使用：显卡无法运行此模型。';
        case 'wrong':
          return '未使用：显卡的结果与处理器不一致。';
        case 'slower':
          return '未使用：处理器更快。';
        case 'failed':
          return '未使用：显卡出错。';
        case 'lost':
          return '已停用：显卡在工作中出错。';
      }
    },
  },

  keeping: {
    title: '对话',
    help: '问题和回答连同所引原文保存在此浏览器中，供以后重读。模型的名称和地址仅在您选择记住时一并保存；密钥从不保存。',
    keep: '在此浏览器中保存对话',
    deleteAll: '删除所有对话',
    deleted: '所有对话均已删除。页面上的回答在关闭前仍可阅读。',
    failed: '对话未能保存在此浏览器中。关闭页面后，最近的回答不再保留。',
  },

  site: {
    title: '离线使用',
    keeping: '正在把本页存入此浏览器，以便离线打开。',
    kept: '本页已存入此浏览器，可离线打开。',
    olderKept: (why) => `本页已存入此浏览器，可离线打开；但新版本未能存入：${why}`,
    failed: (failure, file) => {
      switch (failure) {
        case 'no-space':
          return '此浏览器没有剩余空间。本页仍可联网使用。';
        case 'unreachable':
          return `无法加载 ${file}。本页仍可联网使用；下次打开时会再试。`;
        case 'other-file':
          return `主机发送的 ${file} 与构建的文件不同。本页仍可联网使用。`;
        case 'refused':
          return '此浏览器不为本页存储任何内容。本页仍可联网使用。';
      }
    },
    updateReady: '新版本已就绪。',
    unreadable: (names) => `无法读取 ${list(names)}。请在此处添加该文件，或确认它仍在原处。`,
    reload: '重新加载',
  },

  endpoint: {
    kind: '语言模型',
    none: '无：仅引用原文（不用人工智能）',
    openai: '兼容 OpenAI 的服务器：Ollama、vLLM、Azure 等大多数服务',
    anthropic: 'Anthropic',
    browser: '此浏览器自带的模型',
    device: '此设备上的模型文件（GGUF）',
    address: '地址',
    model: '模型',
    key: '密钥',
    keyHelp: '仅在内存中保留到关闭页面为止，从不保存，且只发送给该服务器。',
    keyHeld: '已保留在内存中',
    more: '更多',
    header: '密钥所用的请求头',
    headers: '其他请求头，每行一个',
    headersHelp: '同样只保留在内存中。',
    headersExample: '名称: 值',
    seconds: '等待回复的最长时间（秒）',
    check: '检查连接',
    asking: '正在询问服务器……',
    tryDevice: '试用模型',
    trying: '正在试用模型……',
    notLoaded: '无法加载此操作所需的页面组件。',
    serverSays: (detail) => `服务器的答复：${detail}`,
  },

  device: {
    open: '打开模型文件',
    none: '没有打开模型文件。',
    kept: (name, size) => `${name}，${size}，保存在此浏览器中`,
    held: (name, size) => `${name}，${size}，页面关闭前可用`,
    remove: '移除文件',
    removed: '模型文件已从此浏览器中移除。',
    progress: '模型文件的复制进度',
    help: '一个 GGUF 文件，或同时选择它的所有分卷。模型在本页中运行，不会发送任何内容。没有显卡时，作答需要数分钟。',
    program: '这个单文件页面装不下运行模型的程序。请将随本页提供的 llama.wasm 与模型一起选择。两者都会保存。',
    storing: (done, total) => `正在复制模型：${done} / ${total}`,
    loading: (done, total) => `正在载入模型：${done} / ${total}`,
    reading: (done, total) =>
      total === 0 ? '模型开始阅读。' : `模型正在阅读：${Math.round((100 * done) / total)}%`,
    writing: (n) => `模型每秒写出 ${n} 个字词片段`,
    last: (n, onGpu) => `上次${onGpu ? '用显卡' : ''}每秒写出 ${n} 个词元。`,
  },

  named: {
    title: '各步骤的模型',
    help: '配置可以为某一步骤指定另一个模型，例如用于筛选的小模型；配置中写作 endpoint = "…"。在此设置这些名称指向何处。',
    add: '添加模型',
    edit: '编辑',
    check: '检查',
    remove: '移除',
    actionOn: (action, name) => `${action} ${name}`,
    what: (model) => ` ${at(model, '')}`,
    keyAgain: ' 需要重新输入其密钥。',
    unused: ' 当前配置没有用到它。',
    usedFor: (steps) => ` 用于${stepList(steps)}。`,
    missing: (name, steps) =>
      `配置${steps.length > 0 ? `为${stepList(steps)}` : ''}指定了模型“${name}”，但尚未设置。`,
    newTitle: '新增步骤所用的模型',
    editTitle: (name) => `模型 ${name}`,
    name: '名称',
    nameHelp: '与配置中的写法一致：步骤的 endpoint = "…"。',
    keep: '保存',
    back: '返回',
    kept: (name) => `模型 ${name} 已设置。`,
    keptLocked: (name) => `模型 ${name} 已保存，但仍缺少密钥。`,
    removed: (name) => `模型 ${name} 已移除。`,
  },

  ledger: {
    title: '已离开本设备的内容',
    close: '关闭列表',
    table: '请求',
    columns: ['时间', '去向', '用途', '发送', '接收', '段落', '结果'],
    save: '保存为 JSON',
    clear: '清空列表',
    explained:
      '此处列出发给语言模型和资料库服务器的请求，包括重试和连接检查。本网站自身的文件对所有人都相同，不在此列。',
    nothing: '自打开本页以来，没有任何内容离开本设备',
    nothingShort: '没有任何内容离开本设备',
    sent: (size) => `发送 ${size}`,
    totals: (n, sent, received) => `自打开本页以来 ${number(n)} 次请求，发送 ${sent}，接收 ${received}`,
    attempt: (name, attempt) => `${name}（第 ${attempt} 次尝试）`,
    none: '无',
    passages: (n) => `${number(n)} 个段落`,
    turns: (n) => `此前 ${number(n)} 个回答`,
    answered: '已答复',
    open: '进行中',
    withStatus: (outcome, status) => `${outcome}（${status}）`,
  },

  errors: {
    'format-unknown': ['这不是 PDF 或 Word 文档', '请选择 PDF 或 Word 文档（.docx）。'],
    'doc-legacy': ['这是 Word 97–2003 文件（.doc）', '请另存为 .docx 或 PDF 后再添加。'],
    'pdf-invalid': ['无法读取此 PDF', '文件可能已损坏。请尝试用 PDF 阅读器打开并重新保存。'],
    'pdf-encrypted': ['此 PDF 设有密码', '请输入密码以打开。密码只在本设备上使用，不会被保存。'],
    'pdf-empty': ['此 PDF 没有页面', '请检查文件是否完整下载或导出。'],
    'docx-invalid': ['此 Word 文档已损坏', '请用文字处理软件打开并重新保存。'],
    'docx-encrypted': ['此 Word 文档设有密码', '请在文字处理软件中取消密码后重新保存。'],
    'limit-exceeded': ['此文件的大小或页数超出可读取的上限', '请拆分为较小的文件后再添加。'],
    'model-missing': ['语义检索无法加载', '将仅按词语检索答案。'],
    'model-mismatch': ['此文件由另一版本处理', '请重新读取。'],
    'index-version': ['此文件由另一版本保存', '请用已保存的文件重新读取。'],
    'index-damaged': ['此文件的存储内容已损坏', '请用已保存的文件重新读取。'],
    'profile-invalid': ['该配置无法使用', '请在设置中选择其他配置。'],
    cancelled: ['已取消', '此文件的内容均未保留。'],
    'bad-argument': ['无法理解该请求', '请重新加载页面后再试。'],
    internal: ['处理此文件时出错', '其他文件不受影响。如有可能，请反馈此文件。'],
    'assets-missing': [
      '本站缺少 Pincite 的文件',
      '请网站管理员检查：`src` 所指的文件夹须包含 engine/、model/ 和 viewer/。',
    ],
    'document-exists': ['资料库中已有此文件', ''],
    'document-lost': ['Pincite 已重新启动，此文件已丢失', '浏览器未能存储此文件，它只在内存中。请重新添加。'],
    'download-failed': ['无法获取该文件', '请重试，或告知网站管理员。'],
    'library-failed': ['资料库无法使用', '请重试。'],
    'library-lost': ['此前保存在此浏览器中的文件已不存在', '请重新添加这些文件。'],
    'packed-document': ['资料库文件中的此文件已损坏', '请重新获取资料库文件，或单独添加此文件。'],
    'packed-invalid': ['该资料库文件已损坏，或不是资料库', '损坏处之前的文件已添加。请重新获取该文件。'],
    'packed-version': [
      '该资料库文件的格式版本为 #，此页面无法识别',
      '未添加任何文件。请用更新版本的 Pincite 打开。',
    ],
    'page-damaged': ['此页面不完整', '请重新获取该文件，并核对随附的 SHA-256 值。'],
    'policy-refused': [
      '本页面的安全策略不允许 Pincite 启动工作线程',
      "请网站管理员允许 `trusted-types pincite` 和 `worker-src 'self'`，或设置 `workers` 属性。",
    ],
    'storage-failed': ['无法重新打开已存储的资料库', '其中的文件仍在此浏览器中。请重新加载页面。'],
    'unsupported-browser': ['此浏览器缺少必需的功能', '请使用新版本的 Chrome、Edge、Firefox 或 Safari。'],
  },

  profiles: {
    general: '一般法律',
    obligations: '监管义务',
    small: '小型模型',
    'tax-opinion': '税务意见',
  },

  own: { english: false },

  diags: {
    'no-text-layer': ['没有文字层', '文件可能是扫描件：请先进行文字识别（OCR）。'],
    'unmapped-glyph': ['部分字符在文件中没有对应的文字编码', '需要文字识别才能读取这些字符。'],
    'damaged-page': ['页面的部分内容无法读取', '请对照原文件核对该页。'],
    repaired: ['由损坏的文件重建', '请检查是否缺页。'],
    'limit-reached': ['内容超出上限，其余部分未读取', '请拆分文件。'],
    'numbering-gap': ['此章节之前缺少一个编号', '该条款可能已废止，或其标题未被识别。'],
    'orphan-note': ['脚注与其标记未能对应', ''],
    'hidden-text': ['含有不可见的文字，未纳入检索', '如非预期，请检查页面中的隐藏内容。'],
    'tracked-changes': ['修订内容按已接受处理，涉及修订的引文会注明', ''],
    inconsistent: ['文件内容前后不一致，部分内容可能读取有误', '请反馈此文件。'],
    'covered-text': [
      (count) => `此文件中有 ${count} 处文字被遮盖`,
      '这些文字仍在文件中，遮盖者可能以为已将其删除。',
    ],
    'differing-text': [
      (count) => `此文件中有 ${count} 处文字，文件声明的字母或数字与所绘不同`,
      '能确定所绘文字时以其为准；请与页面核对。',
    ],
    'illegible-text': [
      (count) => (count === 0 ? '此文件的大部分文字无法读取，未纳入检索' : '含有无法读取的文字，未纳入检索'),
      '文件的字体未说明其字形对应的文字：请先进行文字识别（OCR）。',
    ],
  },

  llm: {
    'bad-config': ['该模型的设置无法使用', ''],
    'address-missing': ['缺少服务器地址', ''],
    'address-scheme': [
      '地址没有以 http:// 或 https:// 开头',
      '本机服务器的地址形如 http://localhost:11434/v1。',
    ],
    'address-invalid': ['该地址不是有效的网址', ''],
    'address-credentials': ['地址中含有用户名或密码', '请将密钥填入专门的输入框。'],
    'address-redirected': ['该地址转向别处，程序不会跟随', ''],
    'key-over-http': ['密钥不会通过 http 发送到另一台机器', '请使用以 https:// 开头的地址，或删去密钥。'],
    'key-missing': ['缺少模型的密钥', '请在设置中输入该模型的密钥。'],
    'header-reserved': ['该请求头不能设置', ''],
    'header-form': ['请求头没有写成“名称: 值”的形式', ''],
    'header-characters': ['密钥或请求头含有无法发送的字符', '请重新复制，不要带换行。'],
    'model-name-missing': ['缺少模型名称', '连接检查会列出服务器上的模型。'],
    'no-endpoint': ['没有设置模型', ''],
    'endpoint-unknown': ['配置指定的模型尚未设置', '请设置配置所指定的模型，或选择其他配置。'],
    'name-missing': ['缺少模型名称', '配置通过这一名称使用该模型。'],
    'name-long': ['名称过长', ''],
    'name-taken': ['该名称已被占用', '请换一个名称。'],
    'name-exists': ['已有同名模型', '请编辑那一个，或换一个名称。'],
    'too-many-endpoints': ['模型数量已达上限', ''],
    'model-file-missing': ['此浏览器中没有模型文件', '请在设置中打开一个。'],
    'file-not-gguf': ['该文件不是 GGUF 文件', '请选择以 .gguf 结尾的文件。'],
    'file-damaged': ['模型文件损坏或不完整', '请重新获取该文件。'],
    'file-split': ['所选文件不是一个完整的模型', '请选择一个模型，或它的所有分卷。'],
    'architecture-unknown': ['程序不支持该模型的架构', '请选择其他系列的模型，例如 Qwen、Llama 或 Gemma。'],
    'memory-short': ['该模型需要的内存超出可用范围', ''],
    'memory-out': ['浏览器给出的内存不够运行该模型', '请关闭其他程序，或选择更小的模型。'],
    'browser-lacks': [
      '此浏览器不能在页面中运行模型',
      '请使用更新的 Chrome、Edge 或 Firefox，或 Ollama 等服务器。',
    ],
    'runtime-missing': [
      '本页中没有运行模型的程序，所选文件也不是它',
      '请将随本页提供的 llama.wasm 与模型一起选择。',
    ],
    'runtime-unreachable': ['无法从本网站载入运行模型的程序', '请联网打开一次本页。'],
    'model-failed': ['运行模型的程序出错', '请再问一次；如仍然如此，请选择其他模型。'],
    unavailable: ['此浏览器没有可用的语言模型', '请选择其他模型，或仅引用原文（不用人工智能）。'],
    network: [
      '无法连接服务器，或浏览器不允许本页访问它',
      '服务器是否在运行？是否允许本页访问？连接检查会给出原因。',
    ],
    timeout: ['请求超出了允许的时间', '模型可能太慢：可改用较小的模型，或在设置中延长等待时间。'],
    stalled: ['服务器中途停止发送', '请再试一次；如仍然如此，请查看服务器日志。'],
    unauthorized: ['服务器拒绝了密钥', '请检查该服务器的密钥。'],
    'wrong-path': ['该地址不是此协议的服务', '请检查地址。大多数服务器的地址以 /v1 结尾。'],
    'model-unknown': ['服务器没有该模型', '请检查模型名称；连接检查会列出服务器上的模型。'],
    'rate-limited': ['请求过多', '请稍候再问。'],
    quota: ['账户余额不足', '请为该账户充值，或使用其他密钥。'],
    'server-error': ['服务器出错', '请再试一次；如仍然如此，请查看服务器日志。'],
    'too-long': ['请求超出模型可接收的长度', '请使用上下文更长的模型，或读取段落较少的配置。'],
    'bad-reply': ['回复不符合协议', '这是语言模型的地址吗？连接检查会给出原因。'],
    'bad-request': ['服务器拒绝了该请求', '服务器不接受所发送的内容。服务器类型是否正确？'],
    'too-large': ['回复过长', '模型没有停止输出。可换用其他模型，或更新服务器版本。'],
    'cut-off': ['回复中途中断', '连接在回复中途断开。请再试一次。'],
    cancelled: ['已取消', ''],
  },

  llmHints: {
    wait: (seconds) => `服务器要求等待 ${seconds} 秒，请届时再问。`,
    keyOf: (endpoint) => `请在设置中输入“${endpoint}”的密钥。`,
    memory: (needed, allowed) => `它大约需要 ${needed}，而本页可用 ${allowed}。请选择更小的模型。`,
    parts: (parts) => `请同时选择模型的全部 ${parts} 个分卷。`,
  },
};
