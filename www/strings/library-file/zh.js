/** A library as a file, in Chinese. */

/** @param {number} n */
const number = (n) => n.toLocaleString('zh');

/** @type {import('./en.js').LibraryFileStrings} */
export const zhLibraryFile = {
  label: '资料库文件',
  progress: (done, total) => `正在保存第 ${number(done)} 份，共 ${number(total)} 份文件`,
  cancel: '取消',
  cancelled: '已取消。未保存任何内容。',
  saved: (name, n, size) => `${name}：${number(n)} 份文件，${size}。`,
  how: '可在任何浏览器中将它拖放到此页面，无需重新读取。其中含有文件及其文字，任何人都可读取，设有密码的文件也不例外。',
  trust: '打开此类文件时，不会将其所述内容与文件本身核对。请只打开您信任的人提供的文件。',
  left: (names) => `以下文件在本设备上已有改动或已移除，未包含在内：${names.join('、')}。`,
  nothing: '未保存任何内容：所有文件在本设备上均已有改动。请重新添加。',
  insecure: '此页面未经加密（http）打开，浏览器无法计算哈希。请通过 https 打开。',
  failed: (why) => `无法保存资料库${why && `：${why}`}。请重试。`,
  dismiss: '关闭关于已保存资料库的提示',
};
