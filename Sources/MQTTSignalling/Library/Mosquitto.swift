import CMosquitto
import Glibc
import Platform
import Signalling

/// One connection at a time to a broker, by libmosquitto.
///
///     connect ──> process(…) per wake of poll ──> events ──> connect (a new connection) or disconnect
///
/// libmosquitto keeps each message of QoS 1 without an answer. After a reconnection it publishes the message again,
/// with a clean start as well, and with its first expiry: a call of 3 s arrived after 8 s (2.0.11). Hence `connect`
/// resets the library to the state of a new client. `mosquitto_loop` refuses descriptors above 1023, and is not used.
///
/// Thread: one, from the first `connect` on. No call blocks, except for the resolver in `connect`.
final class Mosquitto {
  /// Longest text of a message in bytes.
  static let maximumByteCount = 16_384

  private let handle: OpaquePointer
  private let options: MQTTSignalOptions
  private let clientID: String
  private var events: [MosquittoEvent] = []
  /// First error in the library's log since `connect`.
  private var logged: String?

  /// Makes a client without a connection.
  init(options: MQTTSignalOptions, clientID: String) {
    self.options = options
    self.clientID = clientID
    guard let handle = Self.makeHandle(clientID) else { preconditionFailure("libmosquitto has no memory for a client") }
    self.handle = handle
  }

  // SAFETY: callbacks come from within calls of this object alone, so that none comes after the end.
  deinit { mosquitto_destroy(handle) }

  /// The library ignores SIGPIPE for the whole process, without asking.
  private static func makeHandle(_ clientID: String) -> OpaquePointer? {
    isPrepared.withLock { isPrepared in
      if !isPrepared { isPrepared = mosquitto_lib_init() == MOSQ_ERR_SUCCESS.rawValue }
      var earlier = sigaction()
      sigaction(SIGPIPE, nil, &earlier)
      let handle = mosquitto_new(clientID, true, nil)
      sigaction(SIGPIPE, &earlier, nil)
      return handle
    }
  }

  private static let isPrepared = Guarded(false)

  // MARK: Connection

  /// Descriptor of the connection; -1 without one.
  var descriptor: Int32 { mosquitto_socket(handle) }

  /// Whether bytes wait for the descriptor.
  var wantsToWrite: Bool { mosquitto_want_write(handle) }

  /// Forgets the connection before, resolves the host and begins a connection.
  ///
  /// - Parameter isIPv4Only: Whether addresses of IPv6 are left out. The library tries the first address alone.
  func connect(isIPv4Only: Bool) throws(MosquittoFault) {
    events.removeAll()
    logged = nil
    try check(reset())
    setCallbacks()
    try check(mosquitto_int_option(handle, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5))
    try check(mosquitto_int_option(handle, MOSQ_OPT_TCP_NODELAY, 1))
    try check(mosquitto_username_pw_set(handle, options.userName, options.password?.text))
    if options.broker.hasTLS {
      let result =
        switch options.verification {
        case .systemRoots: mosquitto_tls_set(handle, nil, "/etc/ssl/certs", nil, nil, nil)
        case .roots(let file): mosquitto_tls_set(handle, file, nil, nil, nil, nil)
        }
      guard result == MOSQ_ERR_SUCCESS.rawValue else {
        throw MosquittoFault(kind: .tls, text: "the file or folder of its roots cannot be read")
      }
    }
    let broker = options.broker
    try check(
      mosquitto_connect_bind_async(
        handle, broker.host, Int32(broker.port), Int32(options.keepAlive.components.seconds),
        isIPv4Only ? "0.0.0.0" : nil))
  }

  /// Reads and writes, and sends a ping when one is due. `takeEvents` then has the reports.
  ///
  /// - Parameters:
  ///   - isReadable: Whether bytes may wait at the descriptor.
  ///   - isWritable: Whether the descriptor may accept bytes.
  func process(isReadable: Bool, isWritable: Bool) throws(MosquittoFault) {
    if isReadable { try check(mosquitto_loop_read(handle, 1)) }
    if isWritable { try check(mosquitto_loop_write(handle, 1)) }
    try check(mosquitto_loop_misc(handle))
  }

  /// Reports since the last call, oldest first.
  func takeEvents() -> [MosquittoEvent] {
    defer { events.removeAll() }
    return events
  }

  /// Closes the connection without DISCONNECT, and forgets it.
  func close() { _ = reset() }

  private func reset() -> Int32 {
    // SAFETY: the library gives the pointer to callbacks, which come from within this object's calls alone.
    mosquitto_reinitialise(handle, clientID, true, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Sends DISCONNECT and closes the connection.
  func disconnect() { mosquitto_disconnect_v5(handle, 0, nil) }

  /// Makes the end of the connection discard bytes that the network has not taken.
  func discardUnsent() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
  }

  // MARK: Packets

  /// Subscribes at QoS 1, without the retained messages that are there. Later ones are marked as retained.
  func subscribe(to filter: String) throws(MosquittoFault) {
    let choices = MQTT_SUB_OPT_RETAIN_AS_PUBLISHED.rawValue | MQTT_SUB_OPT_SEND_RETAIN_NEVER.rawValue
    try check(mosquitto_subscribe_v5(handle, nil, filter, 1, Int32(choices), nil))
  }

  /// Publishes at QoS 1.
  ///
  /// - Returns: The identifier of the later `published`.
  func publish(_ text: String, to topic: String, expirySeconds: UInt32) throws(MosquittoFault) -> Int32 {
    var properties: OpaquePointer?
    try check(
      mosquitto_property_add_int32(&properties, Int32(MQTT_PROP_MESSAGE_EXPIRY_INTERVAL.rawValue), expirySeconds))
    defer { mosquitto_property_free_all(&properties) }
    var identifier: Int32 = 0
    let bytes = Array(text.utf8)
    // SAFETY: the library copies the payload within the call.
    try check(
      mosquitto_publish_v5(handle, &identifier, topic, Int32(bytes.count), bytes, 1, false, properties))
    return identifier
  }

  // MARK: Results

  private func check(_ result: Int32) throws(MosquittoFault) {
    let number = errno
    guard result > 0 else { return }
    switch mosq_err_t(result) {
    case MOSQ_ERR_ERRNO:
      throw MosquittoFault(kind: .network, text: logged ?? lowercased(String(cString: strerror(number))))
    case MOSQ_ERR_EAI:
      throw MosquittoFault(kind: .network, text: lowercased(String(cString: gai_strerror(number))))
    case MOSQ_ERR_KEEPALIVE: throw MosquittoFault(kind: .network, text: "the broker does not answer")
    case MOSQ_ERR_TLS, MOSQ_ERR_TLS_HANDSHAKE:
      throw MosquittoFault(kind: .tls, text: logged ?? "TLS failed")
    case MOSQ_ERR_OVERSIZE_PACKET, MOSQ_ERR_PAYLOAD_SIZE, MOSQ_ERR_MALFORMED_UTF8, MOSQ_ERR_INVAL, MOSQ_ERR_NOMEM,
      MOSQ_ERR_QOS_NOT_SUPPORTED:
      throw MosquittoFault(kind: .message, text: phrase(mosquitto_strerror(result)))
    default:
      throw MosquittoFault(kind: .network, text: logged ?? phrase(mosquitto_strerror(result)))
    }
  }
}

// MARK: Callbacks

extension Mosquitto {
  private func setCallbacks() {
    mosquitto_connect_v5_callback_set(handle) { _, user, code, _, properties in
      var receiveMaximum = UInt16.max
      mosquitto_property_read_int16(
        properties, Int32(MQTT_PROP_RECEIVE_MAXIMUM.rawValue), &receiveMaximum, false)
      Mosquitto.from(user).events.append(.connected(code: Int(code), receiveMaximum: Int(receiveMaximum)))
    }
    mosquitto_subscribe_v5_callback_set(handle) { _, user, _, count, codes, _ in
      // SAFETY: the library gives `count` codes.
      Mosquitto.from(user).events.append(.subscribed(code: count > 0 ? Int(codes![0]) : 128))
    }
    mosquitto_publish_v5_callback_set(handle) { _, user, identifier, code, _ in
      Mosquitto.from(user).events.append(.published(identifier: identifier, code: Int(code)))
    }
    mosquitto_disconnect_v5_callback_set(handle) { _, user, code, _ in
      // Smaller numbers are the library's own; they are the results of calls as well.
      if code >= 128 { Mosquitto.from(user).events.append(.disconnected(code: Int(code))) }
    }
    mosquitto_message_v5_callback_set(handle) { _, user, message, _ in
      guard let message = message?.pointee, let topic = message.topic else { return }
      // SAFETY: the library gives `payloadlen` bytes, which it frees after the call.
      let bytes = UnsafeRawBufferPointer(start: message.payload, count: Int(message.payloadlen))
      let payload: MosquittoEvent.Payload =
        bytes.count > Mosquitto.maximumByteCount ? .tooLong(count: bytes.count) : .bytes(Array(bytes))
      Mosquitto.from(user).events.append(
        .received(topic: String(cString: topic), payload: payload, isRetained: message.retain))
    }
    mosquitto_log_callback_set(handle) { _, user, level, text in
      if level == MOSQ_LOG_ERR, let text { Mosquitto.from(user).note(String(cString: text)) }
    }
  }

  /// Keeps the first line of a fault, which is the most exact one, without the library's decoration.
  private func note(_ line: String) {
    guard logged == nil else { return }
    let isOpenSSL = line.hasPrefix("OpenSSL Error")
    let text = isOpenSSL ? line.split(separator: ":").last.map(String.init) ?? line : line
    logged = lowercased(text.hasPrefix("Error: ") ? String(text.dropFirst(7)) : text)
  }

  private static func from(_ user: UnsafeMutableRawPointer?) -> Mosquitto {
    // SAFETY: `connect` has given the library this object, which frees the library's handle at its end.
    Unmanaged<Mosquitto>.fromOpaque(user!).takeUnretainedValue()
  }

  /// Broker's word for a reason code of MQTT 5, such as "not authorized".
  static func word(for code: Int) -> String { phrase(mosquitto_reason_string(Int32(code))) }
}

private func phrase(_ text: UnsafePointer<CChar>) -> String { lowercased(String(cString: text)) }

/// A sentence of a library as a clause: without a capital at the beginning and a period at the end.
private func lowercased(_ sentence: String) -> String {
  let clause = sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
  let second = clause.dropFirst().first
  return second?.isUppercase == true ? clause : clause.prefix(1).lowercased() + clause.dropFirst()
}
