import Channels
import CommandTestSupport
import Foundation
import Platform
import TestSupport
import Testing

/// Messages of a session to two `join`, at a relay that is killed and restarted; all are processes of their own.
@Suite("join: messages", .timeLimit(.minutes(3)))
struct JoinMessageTests {
  /// The file `kill.N` kills the relay for the Nth time; `done` ends everything.
  private static let script = """
    relay() { $A relay --listen 127.0.0.1:PORT --app-id demo --app-secret-file secret.txt \\
      --max-messages-per-second 100000 --max-requests-per-second 100000 2>> relay.txt & R=$!; }
    soon() { until [ -e $1 ]; do kill -0 $R || break; read -rt 0.02 <> <(:) || true; done; }
    relay; until grep -q 'listening at' relay.txt; do kill -0 $R || break; read -rt 0.05 <> <(:) || true; done
    for uid in 5 6 7; do
      $A token create --app-id demo --app-secret-file secret.txt --channel '*' --uid $uid > t$uid
    done
    for uid in 5 6; do
      $A join --url ws://127.0.0.1:PORT --channel room --uid $uid --token-file t$uid --role audience \\
        --duration 100 --json-lines > lines$uid & P="$P $!"
    done
    for uid in 5 6; do
      until grep -q didJoinChannel lines$uid; do kill -0 $R || break; read -rt 0.05 <> <(:) || true; done
    done
    touch ready
    for round in 1 2 3; do soon kill.$round; kill -9 $R; wait $R; relay; done
    soon done
    kill -INT $P; wait $P
    kill -INT $R; wait $R
    """

  @Test("1,000 messages over three kills of a relay: each has an outcome", .shows("C23"))
  func kills() async throws {
    let port = try Ports.pair()
    let folder = try RelayScript.folder()
    let ending = Guarded<Result<Tool.Ending, any Error>?>(nil)
    Thread.detachNewThread {
      let result = Result { try Tool.shell(Self.script.replacing("PORT", with: "\(port)"), in: folder) }
      ending.withLock { $0 = result }
    }
    try #require(eventually { folder.has("ready") })
    let token = String(decoding: try folder.read("t7"), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    let engine = try RtcEngine(appID: "demo", relay: "ws://127.0.0.1:\(port)")
    defer { engine.destroy() }
    let session = try await engine.openSession(token: token, user: .uid(7))
    var events = session.events.makeAsyncIterator()
    let outcomes = Guarded<[MessageOutcome]>([])
    for number in 0..<1_000 {
      if [200, 500, 800].contains(number) {
        #expect(eventually { outcomes.withLock { $0.count } == number })
        _ = try folder.write("kill.\(number / 300 + 1)", [])
      }
      // The messages since the file are on their way while the relay ends.
      if [220, 520, 820].contains(number) {
        var states: [Bool] = []
        while states.last != true || !states.contains(false), let event = await events.next() {
          switch event {
          case .interrupted: states.append(false)
          case .opened: states.append(true)
          default: break
          }
        }
        for uid in 5...6 {
          while (try? await session.isOnline(.uid(UInt32(uid)))) != true { await Task.yield() }
        }
      }
      do throws(ChannelError) {
        try session.send("\(number)", to: .uid(UInt32(5 + number % 2))) { result in
          outcomes.withLock { $0.append((try? result.get()) ?? .unknown) }
        }
      } catch {
        #expect(error.code == .notReady)
        outcomes.withLock { $0.append(.noSuchUser) }
      }
    }
    #expect(eventually { outcomes.withLock { $0.count } == 1_000 })
    _ = try folder.write("done", [])
    #expect(eventually { ending.withLock { $0 != nil } })
    let delivered = outcomes.withLock { $0.count { $0 == .delivered(sessionCount: 1) } }
    var received = 0
    for uid in 5...6 {
      let lines = String(decoding: try folder.read("lines\(uid)"), as: UTF8.self).split(separator: "\n")
      let numbers = try lines.compactMap { line -> Int? in
        let json = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        guard json?["event"] as? String == "didReceiveMessage", json?["from_uid"] as? Int == 7 else { return nil }
        return (json?["message"] as? String).flatMap { Int($0) }
      }
      // In order, and none twice.
      #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
      #expect(numbers.allSatisfy { $0 % 2 == uid - 5 })
      received += numbers.count
    }
    // A message without an answer may have come, and one of those at a kill may be lost behind its answer.
    #expect(received >= delivered - 60 && delivered > 900, "\(received) of \(delivered)")
    let unknown = outcomes.withLock { $0.count { $0 == .unknown } }
    #expect(received <= delivered + unknown, "\(received) of \(delivered) and \(unknown)")
  }
}
