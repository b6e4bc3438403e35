public import Calls
import Glibc
public import Platform

/// Carries the messages of one-to-one calls over an MQTT 5 broker, without a relay.
///
///     let client = MQTTSignalClient(
///       try MQTTSignalOptions(broker: "mqtts://broker.example:8883", appID: "demo", userID: 7))
///     try client.start()
///     try await client.open(timeout: .seconds(10))
///
/// A message to user 9 goes to the topic `audiopipe/demo/call/9/7`. Its last level is the sender, which the ACL of the
/// broker protects: `Deploy/mosquitto` has a configuration. The client connects again by itself, and gets no message of
/// the time in which it was away.
///
/// Thread: any. Listeners and completions are called on the client's own thread, never under a lock.
public final class MQTTSignalClient: SignalClient, Sendable {
  /// Options of the client.
  public let options: MQTTSignalOptions

  private let topics: CallTopics
  private let listeners = SignalListeners()
  private let running = Guarded<RunningSignalLoop?>(nil)
  private let clock = SystemClock()

  /// Creates a client without a connection.
  public init(_ options: MQTTSignalOptions) {
    self.options = options
    topics = CallTopics(appID: options.appID, userID: options.userID)
  }

  deinit {
    listeners.removeAll()
    running.withLock { $0 }?.stop()
  }

  /// Starts the thread, which connects and stays connected. A second start does nothing.
  ///
  /// - Throws: An `EngineError` if the file of roots cannot be read, or the system gives no thread.
  public func start() throws(EngineError) {
    if options.broker.hasTLS, case .roots(let file) = options.verification, access(file, R_OK) != 0 {
      throw EngineError(
        .invalidArgument,
        "the roots for \(options.brokerURL) cannot be read from '\(file)' (\(String(cString: strerror(errno)))); "
          + "name a PEM file")
    }
    let earlier = running.withLock { $0 }
    if let earlier {
      guard earlier.mailbox.isStopping else { return }
      // Outside the lock, since its completions may call this client.
      earlier.stop()
    }
    let next = try RunningSignalLoop(options: options, listeners: listeners)
    let isFirst = running.withLock { running in
      guard running === earlier else { return false }
      running = next
      return true
    }
    if !isFirst { next.stop() }
  }

  /// Sends DISCONNECT and waits for the end of the thread. Open completions get the reason `unknown`.
  ///
  /// It also waits for a lookup of the broker's name that is under way. A listener or completion that stops its client
  /// does not wait. Repeated calls do nothing; `start` starts again.
  public func stop() { running.withLock { $0 }?.stop() }

  /// Waits until the broker delivers messages to this user. It connects, subscribes and sends a probe to its own topic.
  ///
  /// - Parameter timeout: Longest wait.
  /// - Throws: A `SignalError`. `refused`: the broker refuses the user, its certificate is refused, or its ACL keeps
  ///   messages from the user. `notConnected`: the time is over, or the client is not started. In each case the client
  ///   goes on trying, and `open` may be called again.
  public func open(timeout: Duration) async throws(SignalError) {
    let deadline = clock.nowNanoseconds + Int(min(timeout, .seconds(86_400)) / .nanoseconds(1))
    let mailbox = running.withLock { $0 }?.mailbox
    let result = await withCheckedContinuation { continuation in
      let request = OpenRequest(deadlineNanoseconds: deadline, continuation: continuation)
      if mailbox?.post(.open(request), beyondCapacity: notStarted) != true {
        continuation.resume(returning: .failure(notStarted))
      }
    }
    try result.get()
  }

  /// Publishes a message at QoS 1.
  ///
  /// The message waits for a connection for at most 5 s, and for the broker's answer for at most 5 s. At most 256
  /// messages wait.
  ///
  /// - Parameters:
  ///   - message: Text of at most 16 KiB of UTF-8.
  ///   - userID: Receiver, as a decimal uid.
  ///   - expiry: Time after which the message is worthless, rounded up to seconds for the broker.
  ///   - completion: Called once, within 10 s, on the client's thread. Reason `noSuchUser`: nobody has subscribed.
  public func sendMessage(
    _ message: String, to userID: String, expiry: Duration,
    completion: @escaping @Sendable (Result<Void, SignalError>) -> Void
  ) {
    let request = request(message, to: userID, expiry: expiry, completion: completion)
    let mailbox = running.withLock { $0 }?.mailbox
    let isPosted = mailbox?.post(
      request,
      beyondCapacity: SignalError(
        .limited, code: 0,
        "\(SignalMailbox.capacity) messages wait for \(options.brokerURL); send the one to user \(userID) later"))
    guard isPosted != true else { return }
    let error = notStarted
    // The client has no thread, and a completion within this call could meet a lock of the caller.
    do throws(ThreadError) {
      try BackgroundThread(named: "mqtt-refusal") { completion(.failure(error)) }.detach()
    } catch {
      listeners.log("message to user \(userID) has no completion: \(error)", .error)
    }
  }

  public func addListener(_ listener: any SignalListener) { listeners.add(listener) }

  public func removeListener(_ listener: any SignalListener) { listeners.remove(listener) }

  private var notStarted: SignalError {
    SignalError(.notConnected, code: 0, "the client of \(options.brokerURL) is not started; call start")
  }

  private func request(
    _ message: String, to userID: String, expiry: Duration, completion: @escaping OutgoingMessage.Completion
  ) -> SignalRequest {
    func refusal(_ text: String) -> SignalRequest { .refuse(completion, SignalError(.refused, code: 0, text)) }
    guard let topic = topics.topic(to: userID) else {
      return refusal("user \(String(reflecting: String(userID.prefix(64)))) is not a decimal uid; use 1 to 4294967295")
    }
    let byteCount = message.utf8.count
    guard byteCount <= Mosquitto.maximumByteCount else {
      return refusal(
        "message to user \(userID) has \(byteCount) bytes; use at most \(Mosquitto.maximumByteCount)")
    }
    guard expiry > .zero else {
      return refusal("message to user \(userID) has an expiry of \(expiry); use a time above 0")
    }
    return .send(
      OutgoingMessage(
        message, topic: topic, userID: userID, expiry: expiry, nowNanoseconds: clock.nowNanoseconds,
        completion: completion))
  }
}
