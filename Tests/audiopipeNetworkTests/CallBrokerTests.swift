import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// Calls whose messages go over a mosquitto with the ACL of Deploy.
@Suite(
  "call over a broker", .serialized, .timeLimit(.minutes(5)),
  .enabled(
    if: FileManager.default.isExecutableFile(atPath: "/usr/sbin/mosquitto"),
    "mosquitto is not installed; make test-deps"))
struct CallBrokerTests {
  /// A broker at a port with users 5 and 7, and the commands `answer` and `caller`.
  private static let words = """
    for u in 5 7; do token '*' $u; echo secret > p$u; done
    (echo '5:secret'; echo '7:secret') > passwd; mosquitto_passwd -U passwd; chmod 600 passwd acl
    printf 'listener BROKER 127.0.0.1\\nallow_anonymous false\\npassword_file passwd\\nacl_file acl\\nuser root\\n' > conf
    broker() { /usr/sbin/mosquitto -c conf > broker.txt 2>&1 & M=$!
      until (exec 3<> /dev/tcp/127.0.0.1/BROKER) 2> /dev/null; do kill -0 $M || break; read -rt 0.05 <> <(:) || true; done; }
    soon() { until grep -q "$1" $2; do kill -0 $P 2> /dev/null || break; read -rt 0.05 <> <(:) || true; done; }
    call() { U=$1; shift
      $A call --url $URL --uid $U --token-file t$U --mqtt mqtt://127.0.0.1:BROKER --mqtt-password-file p$U --events - "$@" \\
        > events$U.txt 2> errors$U.txt; }
    broker

    """

  private func run(_ script: String, in folder: Workspace) throws -> Tool.Ending {
    let acl = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Deploy/mosquitto/acl")
    try folder.write("acl", Array(Data(contentsOf: acl)))
    let port = try Ports.pair()
    return try RelayScript.run(
      (Self.words + script + "\nSTATUS=$?; kill -9 $M; wait $M; (exit $STATUS)")
        .replacing("BROKER", with: "\(port)"), in: folder)
  }

  private func states(_ uid: Int, in folder: Workspace) throws -> [String] {
    try CallTests.states(uid, in: folder)
  }

  @Test(
    "a call over a broker outlives the broker's restart", .shows("call", "K9", "K10"), arguments: ["none", "2", "4"])
  func restart(state: String) throws {
    let folder = try RelayScript.folder()
    let restart =
      state == "none" ? "" : "soon 'onCallStateChanged\",\"state\":\(state)' events7.txt; kill -9 $M; wait $M; broker"
    let ending = try run(
      """
      call 7 --answer --answer-after \(state == "2" ? 5 : 0) & P=$!
      soon 'waits for a call' errors7.txt
      call 5 7 --duration 5 & C=$!
      \(restart)
      wait $C; STATUS=$?; wait $P || STATUS=$?; (exit $STATUS)
      """, in: folder)
    let errors = String(decoding: try folder.read("errors5.txt") + folder.read("errors7.txt"), as: UTF8.self)
    #expect(ending.status == 0, "\(errors)\n\(ending.errors)")
    #expect(try states(5, in: folder) == ["1/0", "2/31", "3/7", "4/13", "1/9", "0/0"], "\(errors)")
    #expect(try states(7, in: folder) == ["1/0", "2/33", "3/8", "4/13", "1/10", "0/0"], "\(errors)")
  }

  @Test("a user without a subscriber is not online, which is 69", .shows("call", "K9"))
  func offline() throws {
    let folder = try RelayScript.folder()
    let ending = try run("P=$$; call 5 7", in: folder)
    let errors = String(decoding: try folder.read("errors5.txt"), as: UTF8.self)
    #expect(ending.status == 69 && errors.contains("error: "), "\(errors)")
    #expect(try states(5, in: folder) == ["1/0", "2/31", "1/4", "0/0"], "\(errors)")
  }

  @Test(
    "a broker that refuses a user is one sentence", .shows("call", "K9"),
    arguments: [
      ("echo wrong > p5", 77, "not authorized"), ("kill -9 $M", 69, "mqtt://127.0.0.1"),
      ("sed -i /read/d acl; kill -9 $M; wait $M; broker", 77, "Deploy/mosquitto"),
    ])
  func refused(change: String, status: Int, words: String) throws {
    let folder = try RelayScript.folder()
    let ending = try run("\(change); P=$$; call 5 7", in: folder)
    let errors = String(decoding: try folder.read("errors5.txt"), as: UTF8.self)
    #expect(
      ending.status == Int32(status) && errors.lowercased().contains(words.lowercased()), "\(ending.status) \(errors)")
    #expect(errors.split(separator: "\n").count { $0.contains("error:") } == 1, "\(errors)")
  }

  @Test(
    "options of a broker are checked", .shows("call"),
    arguments: [
      "--mqtt http://h", "--mqtt-user u", "--mqtt-password-file p", "--mqtt mqtt://h --mqtt-ca-file none",
    ])
  func options(line: String) throws {
    let folder = try Workspace()
    let ending = try Tool.call("call 7 --uid 5 --url ws://127.0.0.1:9 --app-id demo \(line)", in: folder)
    #expect([64, 66].contains(ending.status) && ending.failures.count == 1, "\(ending.errors)")
  }
}
