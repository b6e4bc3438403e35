import CommandTestSupport
import TestSupport
import Testing

/// Mistakes in a relay's configuration file, in this process.
@Suite("relay --config", .timeLimit(.minutes(10)))
struct RelayConfigTests {
  private static let app = #""apps":[{"id":"demo","secret_files":["demo.secret"]}]"#

  private func folder(_ configuration: String) throws -> Workspace {
    let folder = try Workspace()
    try folder.write("demo.secret", Array(repeating: 0x6B, count: 40))
    try folder.write("short.secret", Array(repeating: 0x6B, count: 4))
    try folder.write("relay.json", Array(configuration.utf8))
    return folder
  }

  @Test("a configuration that cannot be read again is refused", .shows("relay config"))
  func pipe() throws {
    let ending = try Tool.shell("mkfifo pipe; $A relay --config pipe", in: try folder("{}"))
    #expect(ending.status == 78 && ending.errors.contains("pipe: the configuration is not a file"), "\(ending.errors)")
  }

  @Test(
    "a mistake in the file is one sentence with its place",
    .shows("relay config"),
    arguments: [
      ("[]", "the configuration must be an object with the keys schema, apps"),
      ("{", "in line 1"),
      ("{}", "the key 'schema' is missing; add \"schema\": 1"),
      (#"{"schema":2}"#, "schema must be a whole number from 1 to 1, not 2"),
      (#"{"schema":1}"#, "the key 'apps' is missing; add \"apps\": [{\"id\": \"demo\""),
      (#"{"schema":1,"app":[]}"#, "the configuration has no key 'app'; did you mean 'apps'?"),
      (#"{"schema":1,"colour":1}"#, "the configuration has no key 'colour'; use schema, apps"),
      (#"{"schema":1,"apps":{}}"#, "apps must be a list of objects, not an object"),
      (#"{"schema":1,"apps":[]}"#, "apps has no app; add one with an 'id'"),
      (#"{"schema":1,"apps":[{}]}"#, "apps[0].id is missing; name the app"),
      (#"{"schema":1,"apps":[{"id":7}]}"#, "apps[0].id must be a text that is not empty, not 7"),
      (#"{"schema":1,"apps":[{"id":"é"}]}"#, "apps[0].id 'é': its character 1 is 'é' (U+00E9)"),
      (
        #"{"schema":1,"apps":[{"id":"a","allow_app_id_only":true,"channels":[{"max_speakers":1}]}]}"#,
        "apps[0].channels[0].name is missing; name a channel"
      ),
      (
        #"{"schema":1,"apps":[{"id":"a","allow_app_id_only":true,"channels":[{"name":"b","max_speakers":"x"}]}]}"#,
        "apps[0].channels[0].max_speakers must be a whole number from 0 to 65535"
      ),
      (
        #"{"schema":1,"apps":[{"id":"a","allow_app_id_only":true,"channels":[{"name":"*b","max_speakers":1}]}]}"#,
        "apps[0].channels[0].name is '*b'; a channel's name has"
      ),
      (#"{"schema":1,"apps":[{"id":"a"}]}"#, "apps[0].secret_files is missing; name a file"),
      (#"{"schema":1,"apps":[{"id":"a","secret":"x"}]}"#, "apps[0] has no key 'secret'; did you mean 'secret_files'?"),
      (
        #"{"schema":1,\#(Self.app),"allow_origin":["evil.example"]}"#,
        "allow_origin[0] 'evil.example' is not an origin; write https://HOST"
      ),
      (#"{"schema":1,"apps":[{"id":"a","secret_files":[]}]}"#, "apps[0].secret_files has 0 files; name 1 or 2"),
      (#"{"schema":1,"apps":[{"id":"a","secret_files":"b"}]}"#, "apps[0].secret_files must be a list of texts"),
      (
        #"{"schema":1,"apps":[{"id":"a","secret_files":["none"]}]}"#,
        "apps[0].secret_files[0] names a file without a secret: ./none: the secret cannot be read"
      ),
      (
        #"{"schema":1,"apps":[{"id":"a","secret_files":["demo.secret","short.secret"]}]}"#,
        "apps[0].secret_files[1] names a file without a secret: ./short.secret: a secret has 32 bytes or more, not 4"
      ),
      (
        #"{"schema":1,"apps":[{"id":"a","allow_app_id_only":"yes"}]}"#,
        "apps[0].allow_app_id_only must be true or false, not the text \"yes\""
      ),
      (
        #"{"schema":1,"apps":[{"id":"a","allow_app_id_only":true},{"id":"a","allow_app_id_only":true}]}"#,
        "apps[1].id 'a' is the id of an app above; give each app once"
      ),
      (
        #"{"schema":1,\#(Self.app),"limits":{"max_session":1}}"#,
        "limits has no key 'max_session'; did you mean 'max_sessions'?"
      ),
      (
        #"{"schema":1,\#(Self.app),"limits":{"max_sessions":0}}"#,
        "limits.max_sessions must be a whole number from 1 to 1000000, not 0"
      ),
      (
        #"{"schema":1,\#(Self.app),"limits":{"max_messages_per_second":0}}"#,
        "limits.max_messages_per_second must be a whole number from 1 to 100000, not 0"
      ),
      (#"{"schema":1,\#(Self.app),"limits":null}"#, "limits must be an object with the keys max_sessions"),
      (#"{"schema":1,\#(Self.app),"move_to":["http://a"]}"#, "move_to[0] 'http://a' is not a WebSocket; write wss://"),
      (#"{"schema":1,\#(Self.app),"drain_for_s":-1}"#, "drain_for_s must be a number from 0 to 86400, not -1"),
      (#"{"schema":1,\#(Self.app),"ban_for_s":86401}"#, "ban_for_s must be a number from 0 to 86400, not 86401"),
      (
        #"{"schema":1,\#(Self.app),"drop_after_s":20}"#,
        "drop_after_s must be an object with the keys communication, live, game, not 20"
      ),
      (
        #"{"schema":1,\#(Self.app),"drop_after_s":{"gameFree":20}}"#,
        "drop_after_s has no key 'gameFree'; use communication, live, game"
      ),
      (
        #"{"schema":1,\#(Self.app),"drop_after_s":{"live":0.5}}"#,
        "drop_after_s.live must be a number from 1 to 3600, not 0.5"
      ),
      (
        #"{"schema":1,\#(Self.app),"drop_after_s":{"game":"15 s"}}"#,
        "drop_after_s.game must be a number from 1 to 3600, not the text \"15 s\""
      ),
      (#"{"schema":1,\#(Self.app),"listen":["nothing"]}"#, "listen[0] 'nothing'"),
      (
        #"{"schema":1,\#(Self.app),"listen":["0.0.0.0:7"]}"#,
        "listen[0] 0.0.0.0:7 can be reached by others, and tokens would be readable without TLS; add 'tls_cert' and "
          + "'tls_key', or 'allow_plain' behind"
      ),
      (#"{"schema":1,\#(Self.app),"metrics":"192.0.2.1:7"}"#, "metrics 192.0.2.1:7 can be reached by others"),
      (#"{"schema":1,\#(Self.app),"tls_cert":"a.pem"}"#, "tls_cert needs the certificate's key; add 'tls_key'"),
      (
        #"{"schema":1,\#(Self.app),"advertise":["na me"]}"#,
        "advertise[0] 'na me' is not an address or a name; write it"
      ),
    ])
  func mistakes(configuration: String, sentence: String) throws {
    let listens = configuration.contains("\"listen\"")
    let ending = try Tool.call(
      "relay --config relay.json" + (listens ? "" : " --listen 127.0.0.1:0"), in: folder(configuration))
    #expect(ending.status == 78 && ending.failures.count == 1, "\(ending.errors)")
    #expect(ending.errors.contains("relay.json: \(sentence)") || sentence == "in line 1", "\(ending.errors)")
    #expect(ending.errors.contains(sentence), "\(ending.errors)")
  }

  @Test(
    "a setting in file and command line is refused with both names", .shows("relay config"),
    arguments: [
      ("--app-id demo", "--app-id and the key 'apps'"),
      ("--allow-app-id-only", "--allow-app-id-only and the key 'apps'"),
      ("--max-sessions 5", "--max-sessions and the key 'limits.max_sessions'"),
      ("--drain-for 5", "--drain-for and the key 'drain_for_s'"),
      ("--drop-after-live 5", "--drop-after-live and the key 'drop_after_s.live'"),
      ("--move-to wss://a", "--move-to and the key 'move_to'"),
      ("--listen 127.0.0.1:0", "--listen and the key 'listen'"),
      ("--metrics 127.0.0.1:0", "--metrics and the key 'metrics'"),
    ])
  func contradictions(option: String, words: String) throws {
    let folder = try folder(
      #"{"schema":1,\#(Self.app),"limits":{"max_sessions":7},"drain_for_s":1,"move_to":["wss://b"],"#
        + #""drop_after_s":{"live":9},"listen":["127.0.0.1:0"],"metrics":"127.0.0.1:0"}"#)
    let ending = try Tool.call("relay --config relay.json \(option)", in: folder)
    #expect(ending.status == 64 && ending.failures.count == 1, "\(ending.errors)")
    #expect(ending.errors.contains(words + " of relay.json"), "\(ending.errors)")
  }

  @Test("a file without an address is named", .shows("relay config"))
  func listen() throws {
    let ending = try Tool.call("relay --config relay.json", in: folder(#"{"schema":1,\#(Self.app)}"#))
    #expect(ending.status == 78 && ending.failures.count == 1, "\(ending.errors)")
    #expect(ending.errors.contains("relay.json: the key 'listen' is missing; add"), "\(ending.errors)")
  }

  @Test("a file that does not exist, and metrics off loopback, are named")
  func options() throws {
    let folder = try folder("{}")
    let missing = try Tool.call("relay --config none.json --listen 127.0.0.1:0", in: folder)
    #expect(missing.status == 66 && missing.errors.contains("none.json"), "\(missing.errors)")
    let open = try Tool.call(
      "relay --app-id demo --allow-app-id-only --listen 127.0.0.1:0 --metrics 192.0.2.1:7", in: folder)
    #expect(open.status == 64 && open.errors.contains("--metrics 192.0.2.1:7"), "\(open.errors)")
  }
}
