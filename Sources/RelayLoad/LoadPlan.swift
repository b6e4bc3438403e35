import RelayClient
package import Signalling

/// Plan of a load: the users, their channels, and the packets that they send.
package struct LoadPlan: Sendable {
  /// Address of the relay's WebSocket.
  package var relay: String
  /// Users that send; they subscribe to nobody.
  package var publisherCount: Int
  /// Users that only receive.
  package var listenerCount: Int
  /// Channels; users are assigned to them in turn. At least one.
  package var channels: [ChannelName]
  /// Length of a packet's sound, in milliseconds: 10 or 20.
  package var frameMilliseconds = 20
  /// Rate of the sound, in bit/s.
  package var bitsPerSecond = 32_000
  /// Users that start to join in a second.
  package var joinsPerSecond = 20.0
  /// Whether all publishers send at the same moment; otherwise their moments are spread over a packet's length.
  package var isInStep = false
  /// Publishers of a channel that speak at the same time, in turns of 4 s; the others send noise that does not count. 0
  /// for all.
  package var speakerCount = 0
  /// Publishers that each listener hears: the first ones of its channel, as it has muted the others; 0 for all.
  package var heardCount = 0
  /// Share of the users that this process serves.
  package var share = LoadShare.whole
  /// Time of the first join by the clock, common to all processes; nil for the creation of the users.
  package var startNanoseconds: Int?
  /// Longest time from the start of a join to its success, in nanoseconds.
  package var joinLimitNanoseconds = 10_000_000_000
  /// Calendar time (NTP, nanoseconds since 1900) at 0 of the clock, for reports.
  package var calendarNanoseconds = 0
  /// Makes the credential of a user.
  package var makeCredential: @Sendable (ChannelName, _ uid: UInt32, ClientRole) -> SessionCredential

  /// Creates a plan with the usual packets.
  package init(
    relay: String, publisherCount: Int, listenerCount: Int, channels: [ChannelName],
    makeCredential: @escaping @Sendable (ChannelName, _ uid: UInt32, ClientRole) -> SessionCredential
  ) {
    precondition(!channels.isEmpty, "a load needs a channel")
    self.relay = relay
    self.publisherCount = publisherCount
    self.listenerCount = listenerCount
    self.channels = channels
    self.makeCredential = makeCredential
  }

  /// Number of all users.
  package var userCount: Int { publisherCount + listenerCount }

  /// Numbers of the users of this process, ascending. Numbers of all users count from 0, publishers first.
  package var numbers: [Int] {
    share.numbers(publisherCount: publisherCount, listenerCount: listenerCount, channelCount: channels.count)
  }

  /// Length of a turn, in nanoseconds, and of the part of it that counts as its beginning.
  static let turnNanoseconds = 4_000_000_000
  static let beginningNanoseconds = 400_000_000

  /// Returns the time since a publisher's turn began, in nanoseconds; nil while it does not speak.
  func speakingNanoseconds(of number: Int, _ now: Int) -> Int? {
    if heardCount > 0, number / channels.count >= heardCount { return nil }
    guard speakerCount > 0 else { return Self.turnNanoseconds }
    let ownCount = max(1, publisherCount / channels.count)
    let first = now / Self.turnNanoseconds * speakerCount
    let place = ((number / channels.count - first) % ownCount + ownCount) % ownCount
    return place < speakerCount ? now % Self.turnNanoseconds : nil
  }

  /// Bytes of a packet's payload.
  package var payloadByteCount: Int {
    min(1_275, max(LoadPayload.byteCount, bitsPerSecond * frameMilliseconds / 8_000))
  }

  var frameNanoseconds: Int { frameMilliseconds * 1_000_000 }

  /// Time between two starts of joins, in nanoseconds.
  var joinIntervalNanoseconds: Int { Int(1e9 / max(0.001, joinsPerSecond)) }

  /// Whether the user with a number is a publisher: the first ones are.
  func isPublisher(_ number: Int) -> Bool { number < publisherCount }

  /// Index of a user's channel.
  func channelIndex(_ number: Int) -> Int {
    (isPublisher(number) ? number : number - publisherCount) % channels.count
  }

  /// Returns the time of a publisher's first packet from a time on.
  ///
  /// Moments are multiples of a packet's length by the clock that all processes of a machine share. They are the same
  /// ones for all publishers, or spread over a packet's length as those of clients are.
  func nextPacketNanoseconds(of number: Int, from now: Int) -> Int {
    let phase = isInStep ? 0 : number * frameNanoseconds / max(1, publisherCount)
    let rest = (now - phase) % frameNanoseconds
    return rest == 0 ? now : now - rest + (rest > 0 ? frameNanoseconds : 0)
  }

  /// Options of a user's session.
  var sessionOptions: RelaySessionOptions { RelaySessionOptions(relay: relay, software: "audiopipe load") }

  /// Options of a user's membership.
  func membershipOptions(_ number: Int) -> ChannelMembershipOptions {
    let (channel, uid) = (channels[channelIndex(number)], UInt32(number + 1))
    let role: ClientRole = isPublisher(number) ? .broadcaster : .audience
    var settings = ChannelSettings(
      role: role, publishes: isPublisher(number), autoSubscribe: !isPublisher(number))
    if heardCount > 0, !isPublisher(number) {
      // Publishers of a channel have every n-th number.
      let own = stride(from: channelIndex(number), to: publisherCount, by: channels.count)
      settings.mutedUsers = Set(own.dropFirst(heardCount).map { UInt32($0 + 1) })
    }
    // Without turns, a relay that chooses speakers does not forward all: listeners learn of that.
    return ChannelMembershipOptions(
      credential: makeCredential(channel, uid, role), channel: channel, user: .uid(uid), settings: settings,
      takesSpeakers: !isPublisher(number) && speakerCount == 0)
  }
}
