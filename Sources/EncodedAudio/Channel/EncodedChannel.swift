import NetworkIO
import Platform
public import RTP
public import RelayClient
public import Signalling
import WebRTC

/// One user of a channel that publishes and receives Opus packets as they are, without decoding.
///
///     let channel = try EncodedChannel(relay: relay, appID: "app", channel: "room") { packet, uid in
///       write(packet.payload)
///     }
///
/// Packets of each user come in order, each once, and name the loss before them. Pushed packets leave at the time of
/// their timestamps. A lost connection is restored by itself.
///
/// Thread: any. Closures are called on the thread of the loop, in order, and must not block; they may call the channel.
public final class EncodedChannel: Sendable {
  private let loop: EncodedChannelLoop
  private let number: Int

  /// Joins a channel. The outcome is an event: `.joined`, or `.failed`.
  ///
  /// - Parameters:
  ///   - relay: Address of the relay's WebSocket.
  ///   - appID: App of the channel.
  ///   - channel: Name of the channel.
  ///   - token: Token of the user; empty at a relay that allows the app id alone. A token with the right `recorder`
  ///     makes a hidden user that only receives.
  ///   - options: Options of the user.
  ///   - loop: Thread of the channel; nil for another one.
  ///   - onEvent: Called with each event.
  ///   - onPacket: Called with each packet of a remote user; nil: not called.
  /// - Throws: `ChannelError` for names that are not valid, or if the system gives no thread or socket.
  public init(
    relay: String, appID: String, channel: String, token: String = "",
    options: EncodedChannelOptions = EncodedChannelOptions(), loop: EncodedChannelLoop? = nil,
    onEvent: @escaping @Sendable (ChannelEvent) -> Void = { _ in },
    onPacket: (@Sendable (EncodedPacket, _ uid: UInt32) -> Void)? = nil
  ) throws(ChannelError) {
    guard let name = ChannelName(channel) else {
      throw ChannelError(.channelName, "a channel's name has \(ChannelName.rule); \(ChannelName.fault(in: channel))")
    }
    let credential: SessionCredential
    if token.isEmpty {
      guard let app = AppID(appID) else {
        throw ChannelError(.invalidArgument, "the app id '\(appID)' is not valid; check its characters")
      }
      credential = .app(app)
    } else {
      credential = .token(SecretText(token))
    }
    let loop = if let loop { loop } else { try EncodedChannelLoop() }
    self.loop = loop
    let media = try UDPMediaNetwork()
    if options.receives { for socket in media.sockets { _ = socket.setReceiveBuffer(byteCount: Self.bufferByteCount) } }
    let unix = Self.unixNanoseconds
    number = try loop.add { call throws(ChannelError) in
      EncodedMembership(
        relay: relay, options, channel: name, credential: credential,
        certificate: DTLSCertificate(unixSeconds: unix / 1_000_000_000), clock: loop.clock, unixNanoseconds: unix,
        random: SystemRandomNumberGenerator(),
        networks: (WebSocketNetwork(options.verification), media),
        onEvent: { event in call { onEvent(event) } },
        onPacket: { uid, packet in if let onPacket { call { onPacket(packet, uid) } } })
    }
  }

  /// Receive buffer: 0.4 s of the packets of 200 users, while the thread waits for a processor.
  private static let bufferByteCount = 4_194_304

  private static var unixNanoseconds: Int {
    let now = UTCTime.now
    return now.secondsSince1970 * 1_000_000_000 + now.nanosecond
  }

  deinit { loop.remove(number) }

  // MARK: Publishing

  /// Publishes an Opus packet at the time of its timestamp. Packets of 2 s may be pushed at once.
  ///
  /// Packets wait for the join. While a connection is interrupted, packets whose time has come are dropped; listeners
  /// see them as lost.
  ///
  /// - Parameters:
  ///   - payload: Opus packet of 1,275 bytes at most; 20 ms is the usual length.
  ///   - timestamp: First sample in samples of 48 kHz, from an origin of the program's. A packet begins at the end of
  ///     the one before, or later: behind a pause (DTX).
  ///   - level: Level of the sound; nil to leave it out.
  /// - Throws: `EncodedPacketError`; the packet is left out.
  public func push(_ payload: [UInt8], timestamp: Int, level: AudioLevel? = nil) throws(EncodedPacketError) {
    try publish { channel throws(EncodedPacketError) in
      try channel.push(payload, timestamp: timestamp, level: level)
    }
  }

  /// Publishes a packet of another channel, without decoding. It keeps its distance to the packet before it, and
  /// follows at once behind a restart of its sender. The packets are those of one user.
  ///
  /// - Throws: `EncodedPacketError`; the packet is left out.
  public func forward(_ packet: EncodedPacket) throws(EncodedPacketError) {
    try publish { channel throws(EncodedPacketError) in try channel.forward(packet) }
  }

  private func publish(
    _ body: (EncodedMembership) throws(EncodedPacketError) -> Void
  ) throws(EncodedPacketError) {
    let result = loop.use(number) { channel -> Result<Void, EncodedPacketError> in
      guard !channel.isOver else { return .failure(.ended) }
      do throws(EncodedPacketError) { return .success(try body(channel)) } catch { return .failure(error) }
    }
    try (result ?? .failure(.ended)).get()
  }

  /// Drops the pushed packets that were not sent.
  ///
  /// - Returns: Timestamp of the first sample that was not sent; nil if none waited.
  @discardableResult
  public func interrupt() -> Int? { loop.use(number) { $0.interrupt() } ?? nil }

  /// Packets that were pushed and not sent.
  public var queuedPacketCount: Int { loop.use(number) { $0.queuedCount } ?? 0 }

  /// Packets that were sent.
  public var sentPacketCount: Int { loop.use(number) { $0.sentCount } ?? 0 }

  // MARK: Receiving

  /// Counts of received packets.
  public var counts: EncodedCounts { loop.use(number) { $0.counts } ?? EncodedCounts() }

  /// Records the packets of each user as they are, in a file `UID.opus`. The files begin now.
  ///
  /// - Parameters:
  ///   - folder: Folder that exists. Files in it stay; a further file of a user has a number behind the uid.
  ///   - comments: Comments of the files, of the form `NAME=VALUE`.
  public func startRecording(in folder: String, comments: [String] = []) {
    _ = loop.use(number) { channel in
      _ = channel.recording?.finish()
      channel.recording = EncodedRecording(
        in: folder, comments: comments, nowNanoseconds: loop.clock.nowNanoseconds)
    }
  }

  /// Ends the recording.
  ///
  /// - Returns: The files, and those that failed; none without a recording.
  @discardableResult
  public func stopRecording() -> EncodedRecordingResult {
    let result = loop.use(number) { channel in
      defer { channel.recording = nil }
      channel.settle()
      return channel.recording?.finish()
    }
    return (result ?? nil) ?? EncodedRecordingResult()
  }

  /// Files of the recording that could not be written so far. The others go on.
  public var recordingFailures: [EncodedFileError] { loop.use(number) { $0.recording?.failures ?? [] } ?? [] }

  // MARK: Channel

  /// State of the connection.
  public var state: ConnectionState { loop.use(number) { $0.membership.state } ?? .disconnected }

  /// Uid in the channel; nil before the first join.
  public var uid: UInt32? { loop.use(number) { $0.membership.uid } ?? nil }

  /// Replaces the token.
  public func renew(_ token: String) { _ = loop.use(number) { $0.renew(SecretText(token)) } }

  /// Leaves the channel. The event `.left` follows.
  public func leave() { _ = loop.use(number) { $0.leave() } }
}
