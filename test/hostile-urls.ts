/** Every known way to write an address that is not public. PORT stands for a port with a listener. */
export const literals = [
  "0.0.0.0", "0", "127.0.0.1", "127.1", "127.0.1", "127.255.255.254", "2130706433", "0x7f000001", "0x7f.0x0.0x0.0x1", "0x7f.1",
  "0177.0.0.1", "0177.0.0.01", "017700000001", "00000177.0.0.1", "127.0.0.1.", "127。0。0。1", "127．0．0．1", "127｡0｡0｡1",
  "①②⑦.⓪.⓪.①", "１２７.０.０.１", "%31%32%37.0.0.1", "127%2e0%2e0%2e1", "%30%78%37%66.1", "10.0.0.1", "10.255.255.255", "012.0.0.1",
  "172.16.0.1", "172.31.255.255", "192.168.0.1", "192.168.255.255", "100.64.0.1", "100.100.100.200", "100.127.255.255",
  "169.254.169.254", "2852039166", "0xa9fea9fe", "0251.0376.0251.0376", "169.254.170.2", "169.254.0.1", "168.63.129.16",
  "192.0.0.1", "192.0.0.192", "192.0.2.1", "192.31.196.1", "192.52.193.1", "192.88.99.1", "192.175.48.1", "198.18.0.1",
  "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255", "0.1.2.3",
  "[::]", "[::1]", "[0:0:0:0:0:0:0:1]", "[0000::0001]", "[::127.0.0.1]", "[::7f00:1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]",
  "[::ffff:a9fe:a9fe]", "[0:0:0:0:0:ffff:10.0.0.1]", "[::ffff:0:127.0.0.1]", "[64:ff9b::7f00:1]", "[64:ff9b::169.254.169.254]",
  "[64:ff9b:1::7f00:1]", "[100::1]", "[100:0:0:1::1]", "[2001::1]", "[2001:0:7f00:1::]", "[2001:2::1]", "[2001:3::1]", "[2001:4:112::1]",
  "[2001:10::1]", "[2001:20::1]", "[2001:db8::1]", "[2002:7f00:1::]", "[2002:a9fe:a9fe::1]", "[2620:4f:8000::1]", "[3ffe::1]", "[3fff::1]",
  "[3fff:fff::1]", "[5f00::1]", "[fc00::1]", "[fd00:ec2::254]", "[fe80::1]", "[febf::1]", "[fec0::1]", "[ff02::1]", "[4000::1]",
]; // prettier-ignore

/** Names of local machines. */
export const localNames = [
  "localhost", "LOCALHOST", "localhost.", "a.localhost", "intranet", "router.local", "metadata.google.internal", "nas.home.arpa",
]; // prettier-ignore

/** Texts that are no URL, or an ambiguous one. */
export const malformed = [
  "ftp://127.0.0.1:PORT/", "file:///etc/passwd", "gopher://127.0.0.1:PORT/", "data:text/plain,hello", "javascript:alert(1)",
  "ws://127.0.0.1:PORT/", "unix:/run/docker.sock", "http://", "http://:PORT/", "//127.0.0.1:PORT/", "127.0.0.1:PORT", "/relative", "",
  "http://user:pass@127.0.0.1:PORT/", "http://user@example.com/", "http://example.com@127.0.0.1:PORT/", "http://:@@127.0.0.1:PORT/",
  "http://example.com\\@127.0.0.1:PORT/", "http://127.0.0.1:PORT\\@example.com/", "http:\\\\127.0.0.1:PORT", "http://exa\tmple.com/",
  "http://example.com/\r\nHost: 127.0.0.1", " http://127.0.0.1:PORT/", "http://127.0.0.1:PORT/\n", "http://\u0000127.0.0.1:PORT/",
  "http://127.0.0.1:PORT\u0085/", "http://[::1%25lo]:PORT/", "http://[fe80::1%eth0]:PORT/", "http://[::1", "http://256.256.256.256/",
  "http://1.2.3.4.5/", "http://0x100000000/", "http://127.0.0.1:99999/", "http://127.0.0.1:PORT:80/", "http://a..example.com/",
  "http://example.com../", "http://%00/", "http://exa%23mple.com/", `http://example.com/${"a".repeat(9_000)}`,
]; // prettier-ignore

/** Texts that browsers accept as URLs. */
export const readsAsLiteral = [
  "http:127.0.0.1:PORT/",
  "http:///127.0.0.1:PORT/",
  "HTTP://127.0.0.1:PORT/",
  "http:/127.0.0.1:PORT",
];

/** Returns all of them as https URLs with this port. */
export const listHostileUrls = (port: number): string[] =>
  [
    ...[...literals, ...localNames].map((host) => `https://${host}:PORT/`),
    ...[...malformed, ...readsAsLiteral].map((url) => url.replace(/^http:/i, "https:")),
  ].map((url) => url.replace("PORT", String(port)));
