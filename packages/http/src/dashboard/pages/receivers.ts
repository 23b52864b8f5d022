/** Programs that verify webhooks. Written by `npm run docs` from docs/webhooks.md. */
export const receivers = [
  {
    id: "verify-node",
    title: "Node",
    place: "Needs the package @sov/core.",
    text: [
      "import { verifyStandardWebhook } from \"@sov/core/webhook\"",
      "import { createServer } from \"node:http\"",
      "",
      "createServer(async (request, response) => {",
      "  const chunks = []",
      "  for await (const chunk of request) chunks.push(chunk)",
      "  const body = Buffer.concat(chunks)",
      "  const valid = verifyStandardWebhook(body, request.headers, process.env.SOV_SIGNING_SECRET)",
      "  response.writeHead(valid ? 204 : 401).end()",
      "  if (valid) console.log(request.headers[\"webhook-id\"], JSON.parse(body).event)",
      "}).listen(Number(process.env.PORT), \"127.0.0.1\")"
    ].join("\n")
  },
  {
    id: "verify-fetch",
    title: "Fetch handler",
    place: "For Next.js, Hono, Deno, Bun and workers; needs the package @sov/core.",
    text: [
      "import { verifyStandardWebhook } from \"@sov/core/webhook\"",
      "",
      "export const POST = async (request) => {",
      "  const body = await request.text()",
      "  const valid = verifyStandardWebhook(body, request.headers, process.env.SOV_SIGNING_SECRET)",
      "  return new Response(null, { status: valid ? 204 : 401 })",
      "}"
    ].join("\n")
  },
  {
    id: "verify-python",
    title: "Python",
    text: [
      "import hashlib, hmac, os",
      "from http.server import BaseHTTPRequestHandler, HTTPServer",
      "",
      "secret = os.environ[\"SOV_SIGNING_SECRET\"].encode()",
      "",
      "class Receiver(BaseHTTPRequestHandler):",
      "    def do_POST(self):",
      "        body = self.rfile.read(int(self.headers[\"Content-Length\"]))",
      "        expected = hmac.new(secret, body, hashlib.sha256).hexdigest()",
      "        valid = hmac.compare_digest(expected.encode(), self.headers.get(\"X-Service-Signature\", \"\").encode())",
      "        self.send_response(204 if valid else 401)",
      "        self.end_headers()",
      "",
      "HTTPServer((\"127.0.0.1\", int(os.environ[\"PORT\"])), Receiver).serve_forever()"
    ].join("\n")
  },
  {
    id: "verify-go",
    title: "Go",
    text: [
      "package main",
      "",
      "import (",
      "\t\"crypto/hmac\"",
      "\t\"crypto/sha256\"",
      "\t\"encoding/hex\"",
      "\t\"io\"",
      "\t\"net/http\"",
      "\t\"os\"",
      ")",
      "",
      "func main() {",
      "\tsecret := []byte(os.Getenv(\"SOV_SIGNING_SECRET\"))",
      "\thttp.HandleFunc(\"/\", func(w http.ResponseWriter, r *http.Request) {",
      "\t\tbody, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))",
      "\t\tmac := hmac.New(sha256.New, secret)",
      "\t\tmac.Write(body)",
      "\t\texpected := hex.EncodeToString(mac.Sum(nil))",
      "\t\tif err != nil || !hmac.Equal([]byte(expected), []byte(r.Header.Get(\"X-Service-Signature\"))) {",
      "\t\t\tw.WriteHeader(http.StatusUnauthorized)",
      "\t\t\treturn",
      "\t\t}",
      "\t\tw.WriteHeader(http.StatusNoContent)",
      "\t})",
      "\thttp.ListenAndServe(\"127.0.0.1:\"+os.Getenv(\"PORT\"), nil)",
      "}"
    ].join("\n")
  },
  {
    id: "verify-php",
    title: "PHP",
    text: [
      "<?php",
      "$body = file_get_contents(\"php://input\");",
      "$expected = hash_hmac(\"sha256\", $body, getenv(\"SOV_SIGNING_SECRET\"));",
      "http_response_code(hash_equals($expected, $_SERVER[\"HTTP_X_SERVICE_SIGNATURE\"] ?? \"\") ? 204 : 401);"
    ].join("\n")
  },
  {
    id: "verify-ruby",
    title: "Ruby",
    place: "Needs the gem webrick.",
    text: [
      "require \"openssl\"",
      "require \"webrick\"",
      "",
      "secret = ENV.fetch(\"SOV_SIGNING_SECRET\")",
      "server = WEBrick::HTTPServer.new(Port: ENV.fetch(\"PORT\").to_i, BindAddress: \"127.0.0.1\")",
      "server.mount_proc \"/\" do |request, response|",
      "  expected = OpenSSL::HMAC.hexdigest(\"SHA256\", secret, request.body.to_s)",
      "  response.status = OpenSSL.secure_compare(expected, request[\"X-Service-Signature\"].to_s) ? 204 : 401",
      "end",
      "server.start"
    ].join("\n")
  },
  {
    id: "verify-shell",
    title: "Shell",
    place: "Prints the digest of a body that was saved, to compare with X-Service-Signature.",
    text: "openssl dgst -sha256 -hmac \"$SOV_SIGNING_SECRET\" body.json"
  }
]
