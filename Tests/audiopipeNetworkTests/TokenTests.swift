import CommandTestSupport
import Foundation
import TestSupport
import Testing

@Suite("token", .timeLimit(.minutes(10)))
struct TokenTests {
  private func folder() throws -> Workspace {
    let folder = try Workspace()
    for (name, byte) in [("secret.txt", "a"), ("other.txt", "b")] {
      try folder.write(name, Array((String(repeating: byte, count: 40) + "\n").utf8))
    }
    return folder
  }

  private func create(_ options: String, in folder: Workspace) throws -> String {
    let ending = try Tool.call(
      "token create --app-id demo --app-secret-file secret.txt \(options)", in: folder)
    #expect(ending.status == 0, "\(ending.errors)")
    let text = ending.text.trimmingCharacters(in: .newlines)
    try folder.write("t", Array(ending.text.utf8))
    return text
  }

  /// Python's own hash is the oracle: a JWT in HS256 under the bytes of the file without its line end.
  @Test("a token is a JWT under the file's bytes with the options' claims", .shows("token"))
  func signature() throws {
    let folder = try folder()
    let text = try create("--channel room --uid 5 --role audience --valid-for 15m --id x7", in: folder)
    let script = """
      python3 - \(text) <<'PY'
      import base64, hashlib, hmac, json, sys, time
      decode = lambda part: base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))
      header, claims, code = sys.argv[1].split(".")
      expected = hmac.digest(b"a" * 40, f"{header}.{claims}".encode(), hashlib.sha256)
      claims = json.loads(decode(claims))
      claims["exp"] = abs(claims["exp"] - time.time() - 900) < 30
      print(json.dumps({"alg": json.loads(decode(header))["alg"], "valid": decode(code) == expected, **claims}))
      PY
      """
    let json = try #require(try Tool.shell(script, in: folder).json)
    #expect(json["alg"] as? String == "HS256" && json["valid"] as? Bool == true && json["exp"] as? Bool == true)
    #expect(json["app"] as? String == "demo" && json["channel"] as? String == "room" && json["uid"] as? Int == 5)
    #expect(json["role"] as? String == "audience" && json["jti"] as? String == "x7")
  }

  @Test("verify accepts a token of either secret, inspect shows its claims", .shows("token"))
  func verify() throws {
    let folder = try folder()
    _ = try create("--channel * --account ann --rights publish,recorder", in: folder)
    for files in ["secret.txt", "other.txt --app-secret-file secret.txt"] {
      let ending = try Tool.call("token verify t --app-id demo --app-secret-file \(files)", in: folder)
      #expect(ending.status == 0 && ending.json?["account"] as? String == "ann", "\(ending.errors)")
    }
    let shown = try Tool.call("token inspect t", in: folder)
    #expect(shown.json?["rights"] as? [String] == ["publish", "recorder"], "\(shown.errors)")
    let end = try #require(shown.json?["exp"] as? Int)
    let form = ISO8601DateFormatter()
    #expect(shown.errors.contains("exp is \(form.string(from: Date(timeIntervalSince1970: Double(end))))"))
    let json = try Tool.call("token inspect t --json", in: folder)
    #expect(json.errors.isEmpty && json.text == shown.text, "\(json.errors)")
  }

  @Test(
    "a refused token ends with 77, its number and one sentence", .shows("token"),
    arguments: [
      ("--app-id other --app-secret-file secret.txt", "-110"), ("--app-id demo --app-secret-file other.txt", "-110"),
      ("--app-id demo --app-secret-file secret.txt --channel hall", "-110"),
      ("--app-id demo --app-secret-file secret.txt --channel room --uid 6", "-110"),
    ])
  func refused(options: String, code: String) throws {
    let folder = try folder()
    _ = try create("--channel room --uid 5", in: folder)
    let ending = try Tool.call("token verify t \(options)", in: folder)
    #expect(ending.status == 77 && ending.failures.count == 1, "\(ending.errors)")
    #expect(ending.errors.contains("(\(code))"), "\(ending.errors)")
  }

  @Test(
    "wrong lines and files are one sentence",
    arguments: [
      ("create --app-secret-file secret.txt --channel a --uid 1", 64, "--app-id"),
      ("create --app-id demo --channel a --uid 1", 64, "--app-secret-file"),
      ("create --app-id demo --app-secret-file secret.txt --uid 1", 64, "--channel"),
      ("create --app-id demo --app-secret-file secret.txt --channel a", 64, "--uid"),
      ("create --app-id demo --app-secret-file secret.txt --channel * --uid 0", 64, "other than 0"),
      ("create --app-id demo --app-secret-file secret.txt --channel a --uid 1 --valid-for 5", 64, "--valid-for"),
      ("create --app-id demo --app-secret-file secret.txt --channel a --uid 1 --rights hidden,publish", 64, "hidden"),
      ("create --app-id demo --app-secret-file secret.txt --channel a --uid 1 --valid-for 0s", 64, "longer than 0"),
      ("create --app-id demo --app-secret-file short.txt --channel a --uid 1", 65, "32 bytes or more"),
      (
        "create --app-id demo --app-secret-file secret.txt --channel a --uid 1"
          + (1...7).map { " --relay-to b\($0)" }.joined(), 64, "at most 6 times"
      ),
      ("create --app-id demo --app-secret-file secret.txt --channel a --uid 1 --relay-to a", 64, "--channel"),
      (
        "create --app-id demo --app-secret-file secret.txt --channel a --uid 1 --role audience --relay-to b", 64,
        "--role broadcaster"
      ),
      ("create --app-id demo --app-secret-file none.txt --channel a --uid 1", 66, "none.txt"),
      ("inspect secret.txt", 65, "not a JWT"), ("inspect", 64, "needs the file"), ("sign", 64, "token cannot"),
      ("verify secret.txt --app-id demo --app-secret-file secret.txt --role audience", 64, "--role"),
    ])
  func wrong(line: String, status: Int, words: String) throws {
    let folder = try folder()
    try folder.write("short.txt", Array("too short".utf8))
    let ending = try Tool.call("token \(line)", in: folder)
    #expect(ending.status == Int32(status) && ending.failures.count == 1, "\(ending.errors)")
    #expect(ending.errors.contains(words), "\(ending.errors)")
  }
}
