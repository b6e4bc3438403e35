import Calls
import Foundation
import MQTTSignalling
import Platform
import Synchronization
import TestSupport
import Testing

@Suite(
  "Starts and stops of a client", .timeLimit(.minutes(10)),
  .enabled(if: Broker.isInstalled, "mosquitto is not installed"))
struct LifecycleTests {
  /// Threads of a user's clients in this process.
  private func threadCount(_ userID: UInt32) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count {
      let name = try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8)
      return name == "mqtt-\(userID)\n"
    }
  }

  /// Processor time of these threads so far, in hundredths of a second.
  private func threadTicks(_ userID: UInt32) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").map {
      let text = (try? String(contentsOfFile: "/proc/self/task/\($0)/stat", encoding: .utf8)) ?? ""
      guard text.contains("(mqtt-\(userID))") else { return 0 }
      let fields = text.split(separator: " ")
      return (Int(fields[13]) ?? 0) + (Int(fields[14]) ?? 0)
    }.reduce(0, +)
  }

  @Test("100 starts and stops leave no thread", .shows("K9"))
  func threads() throws {
    let broker = try Broker()
    let options = try MQTTSignalOptions(
      broker: broker.url, appID: "demo", userID: 4_000_000_001, userName: "7", password: "secret-7")
    let client = MQTTSignalClient(options)
    for _ in 0..<100 {
      try client.start()
      client.stop()
    }
    #expect(try threadCount(options.userID) == 0)
    for _ in 0..<20 { try MQTTSignalClient(options).start() }
    #expect(try threadCount(options.userID) == 0)
    try client.start()
    try client.start()
    #expect(try threadCount(options.userID) == 1)
    client.stop()
    client.stop()
    #expect(try threadCount(options.userID) == 0)
  }

  @Test(
    "a client that connects to a silent host idles, and stops at once", .shows("K9"),
    arguments: [("mqtt", UInt32(4_000_000_003)), ("mqtts", 4_000_000_004)])
  func silentHost(scheme: String, userID: UInt32) async throws {
    let host = try ScriptedBroker()
    let user = try User(
      MQTTSignalOptions(broker: "\(scheme)://127.0.0.1:\(host.port)", appID: "demo", userID: userID))
    let error = await user.openingError(timeout: .milliseconds(1_000))
    #expect(error?.reason == .notConnected)
    // A busy loop would use the whole second.
    #expect(try threadTicks(userID) < 20)
    let start = ContinuousClock.now
    user.client.stop()
    #expect(ContinuousClock.now - start < .seconds(2))
    #expect(await user.openingError()?.reason == .notConnected)
  }

  @Test("a stop ends open messages with unknown, each once", .shows("K9"))
  func openMessages() throws {
    let broker = try Broker()
    broker.kill()
    let seven = try User(broker.options(7))
    for number in 0..<300 { seven.send("\(number)", to: "8") }
    seven.client.stop()
    #expect(seven.log.resultCount == 300)
    let reasons = seven.log.errors.map { $0?.reason }
    #expect(reasons.count { $0 == .unknown } == 256)
    #expect(reasons.count { $0 == .limited } == 44)
    seven.send("late", to: "8")
    #expect(eventually { seven.log.resultCount == 301 })
    #expect(seven.log.errors.last??.reason == .notConnected)
  }

  @Test("completions come outside sendMessage, on the client's thread", .shows("K9"))
  func completions() async throws {
    let broker = try Broker()
    let seven = try await User.opened(broker.options(7))
    let threads = Mutex<Set<pthread_t>>([])
    for text in ["call", String(repeating: "x", count: 20_000)] {
      let before = threads.withLock { lock in
        // A completion within this call would lock again, and hang.
        seven.client.sendMessage(text, to: "7", expiry: .seconds(9)) { _ in
          threads.withLock { _ = $0.insert(pthread_self()) }
          seven.log.completion(.success(()))
        }
        return lock.count
      }
      #expect(before <= 1)
    }
    #expect(eventually { seven.log.resultCount == 2 })
    #expect(threads.withLock { $0.count } == 1)
    #expect(threads.withLock { !$0.contains(pthread_self()) })
  }

  @Test("a client may be stopped and released within its own completion", .shows("K9"))
  func releaseWithin() async throws {
    let broker = try Broker()
    let options = try MQTTSignalOptions(
      broker: broker.url, appID: "demo", userID: 4_000_000_002, userName: "7", password: "secret-7")
    let log = SignalLog()
    let kept = Mutex<MQTTSignalClient?>(MQTTSignalClient(options))
    try kept.withLock { try $0?.start() }
    kept.withLock { client in
      client?.sendMessage("call", to: "8", expiry: .seconds(9)) { result in
        let last = kept.withLock { $0.take() }
        last?.stop()
        log.completion(result)
      }
    }
    #expect(eventually { log.resultCount == 1 })
    #expect(try eventually { try threadCount(options.userID) == 0 })
  }

  @Test("a client leaves the process's handling of SIGPIPE as it was", .shows("K9"))
  func brokenPipes() async {
    await #expect(processExitsWith: .success) {
      signal(SIGPIPE, SIG_DFL)
      let client = MQTTSignalClient(try MQTTSignalOptions(broker: "mqtt://127.0.0.1:1", appID: "demo", userID: 7))
      try client.start()
      client.stop()
      var after = sigaction()
      sigaction(SIGPIPE, nil, &after)
      exit(unsafeBitCast(after.__sigaction_handler.sa_handler, to: Int.self) == 0 ? 0 : 1)
    }
  }
}
