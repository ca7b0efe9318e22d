/** Last characters of the page in one file, and of that of an evidence file, which has its data before them. */
export const ending = '</body>\n</html>\n';
