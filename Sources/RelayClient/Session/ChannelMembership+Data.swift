import DataStreams
import Platform
import RTP
import Signalling
import WebRTC

/// Data streams: messages to all users of the channel that take them.
extension ChannelMembership {
  /// Creates a data stream of the local user. It lasts as long as the membership.
  ///
  /// - Parameters:
  ///   - isReliable: Whether missing messages are requested, for 2 s.
  ///   - isOrdered: Whether receivers get the messages in their order.
  /// - Returns: Number of the stream, from 1 on.
  /// - Throws: `.tooManyDataStreams` for the sixth, `.wrongState` without a channel.
  package func createDataStream(isReliable: Bool, isOrdered: Bool) throws(ChannelError) -> Int {
    guard phase != .idle, phase != .leaving else { throw Self.notJoined }
    do throws(DataStreamError) {
      return try data.endpoint.sender.createStream(
        isReliable: isReliable, isOrdered: isOrdered, first: UInt32(truncatingIfNeeded: random.next()))
    } catch {
      throw ChannelError(error)
    }
  }

  /// Sends a message to the users of the channel. While the connection is lost, messages wait.
  ///
  /// - Parameters:
  ///   - message: 1 to 1,024 bytes.
  ///   - stream: Number of the stream.
  ///   - now: Present time, in nanoseconds.
  /// - Throws: `.wrongState` without a channel; `.refused` for the audience, a token without the right `data` and a
  ///   relay without data streams; `.invalidArgument` for another stream or size; `.tooOften` beyond 30 messages within
  ///   a second.
  package func send(_ message: [UInt8], onDataStream stream: Int, nowNanoseconds now: Int) throws(ChannelError) {
    guard state == .connected || state == .reconnecting, phase != .leaving else {
      throw Self.notJoined
    }
    guard !options.profile.hasRoles || settings.role == .broadcaster else {
      throw ChannelError(.refused, "the audience sends no messages; become a broadcaster first", cause: .right)
    }
    guard let sources = data.endpoint.sources else {
      throw ChannelError(.refused, "the relay has no data streams; it needs a later version")
    }
    guard sources.sent != nil else {
      throw ChannelError(
        .refused, "the token has no right to send messages; sign a token with the right 'data'", cause: .right)
    }
    do throws(DataStreamError) {
      try data.endpoint.sender.send(message, on: stream, nowNanoseconds: now)
    } catch {
      throw ChannelError(error)
    }
    sendData(now)
  }

  private static let notJoined = ChannelError(
    .wrongState, "the channel is not joined; join it before the first message")

  // MARK: Internal

  /// Takes a decrypted packet or RTCP datagram.
  ///
  /// - Returns: Whether it was a message.
  func takeData(_ bytes: UnsafeRawBufferPointer, isRTCP: Bool, _ now: Int) -> Bool {
    if isRTCP {
      data.endpoint.receive(reports: bytes, nowNanoseconds: now) { transmitData($0) }
      return false
    }
    guard let header = try? RTPHeader(parsing: bytes), data.endpoint.isMessage(header) else { return false }
    data.endpoint.receive(bytes, nowNanoseconds: now)
    noteData()
    return true
  }

  /// Takes another right to send: the next message obeys it. While a join waits, its answer follows.
  func take(_ event: DataUpdatedEvent) { data.endpoint.change(event.data) }

  /// Sends the messages, requests and repetitions that are due.
  func sendData(_ now: Int) {
    if isTransportReady {
      let memory = data.memory
      data.endpoint.pump(
        now: now, memory: memory,
        protect: { byteCount, isRTCP in
          protect(memory, byteCount: byteCount, isRTCP: isRTCP, nowNanoseconds: now).map {
            UnsafeRawBufferPointer(rebasing: memory[..<$0])
          }
        }, send: { transmitData($0) })
    } else {
      data.endpoint.poll(nowNanoseconds: now)
    }
    noteData()
  }

  /// Time of the next `sendData`; nil if none is needed.
  var dataDeadlineNanoseconds: Int? {
    isTransportReady ? data.endpoint.nextDeadlineNanoseconds : data.endpoint.nextReceptionNanoseconds
  }

  /// Reports received and missed messages.
  func noteData() {
    while let event = data.endpoint.takeEvent() {
      switch event {
      case .message(let uid, let stream, let bytes):
        emitDuringStay(.streamMessage(uid: uid, streamID: stream, bytes))
      case .missed(let uid, let stream, let missed, let cached):
        emitDuringStay(.streamMessageError(uid: uid, streamID: stream, missed: missed, cached: cached))
      }
    }
  }

  private func transmitData(_ datagram: UnsafeRawBufferPointer) {
    guard let address = transport?.remoteAddress else { return }
    transmit(ICEDatagram(bytes: Array(datagram), address: address))
  }
}

extension ChannelError {
  fileprivate init(_ error: DataStreamError) {
    switch error {
    case .tooManyStreams:
      self.init(
        .tooManyDataStreams, "a user has at most \(DataLimits.streamCount) data streams in a channel; use those",
        cause: .limit, limit: NamedLimit(name: "data-streams", value: Int64(DataLimits.streamCount)))
    case .unknownStream(let number):
      self.init(.invalidArgument, "data stream \(number) is unknown; use a number that createDataStream has returned")
    case .byteCount(let count):
      self.init(
        .invalidArgument,
        "a message of a data stream has 1 to \(DataLimits.messageByteCount) bytes, and this one has \(count)",
        limit: NamedLimit(name: "data-message-bytes", value: Int64(DataLimits.messageByteCount)))
    case .tooOften:
      self.init(
        .tooOften, "a user sends at most \(DataLimits.messagesPerSecond) messages within a second; send it later",
        cause: .limit,
        limit: NamedLimit(name: "data-messages-per-second", value: Int64(DataLimits.messagesPerSecond)))
    }
  }
}
