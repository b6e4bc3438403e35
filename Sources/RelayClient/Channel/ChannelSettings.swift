package import Signalling

/// Settings of a user in a channel that may change while it is joined. A rejoin restores them.
package struct ChannelSettings: Hashable, Sendable {
  /// Role in a channel with roles.
  package var role: ClientRole
  /// Wait of the received sound while the role is that of the audience.
  package var audienceLatencyLevel = AudienceLatencyLevel.ultraLow
  /// Whether the user publishes its audio.
  package var publishes: Bool
  /// Whether a voice is published that the program does not push.
  package var publishesMicrophone = true
  /// Whether a voice is published that the program pushes.
  package var publishesCustomAudio = true
  /// Whether music and effects are published.
  package var publishesMixedFile = true
  /// Whether the user has muted its audio.
  package var isMuted = false
  /// Whether the user's voice is muted at its source, for all channels.
  package var isSourceMuted = false
  /// Whether the user sends music with its audio.
  package var playsMusic = false
  /// Quality of the user's own paths; nil before the first report.
  package var quality: UserQuality?
  /// Whether the user subscribes to everyone.
  package var autoSubscribe: Bool
  /// Publishers that are heard at the same time, at most; 0 for as many as the relay lets the user hear.
  package private(set) var maximumSpeakerCount = 0
  /// Users that the listener has muted.
  package var mutedUsers: Set<UInt32> = []
  /// Users that are heard although everyone is muted, or not subscribed, and before louder speakers.
  package var allowedUsers: Set<UInt32> = []
  /// Users that are not heard, even allowed ones.
  package var blockedUsers: Set<UInt32> = []
  /// Whether the listener has muted users that come later, too.
  package var isEveryoneMuted = false

  /// Creates settings from their parts.
  package init(
    role: ClientRole = .audience, publishes: Bool = false, autoSubscribe: Bool = true, maximumSpeakerCount: Int = 0
  ) {
    self.maximumSpeakerCount = maximumSpeakerCount
    self.role = role
    self.publishes = publishes
    self.autoSubscribe = autoSubscribe
  }

  /// Sets the number of publishers that are heard, within the limits of a message.
  package mutating func setMaximumSpeakerCount(_ count: Int) {
    maximumSpeakerCount = min(Int(MessageLimits.speakerCount), max(0, count))
  }

  /// Makes the changes that lead from `old` to `new`; other values stay.
  mutating func change(from old: ChannelSettings, to new: ChannelSettings) {
    func change<Value: Equatable>(_ path: WritableKeyPath<ChannelSettings, Value>) {
      if old[keyPath: path] != new[keyPath: path] { self[keyPath: path] = new[keyPath: path] }
    }
    change(\.role)
    change(\.audienceLatencyLevel)
    change(\.publishes)
    change(\.publishesMicrophone)
    change(\.publishesCustomAudio)
    change(\.publishesMixedFile)
    change(\.isMuted)
    change(\.isSourceMuted)
    change(\.playsMusic)
    change(\.quality)
    change(\.autoSubscribe)
    change(\.isEveryoneMuted)
    change(\.maximumSpeakerCount)
    for path in [\Self.mutedUsers, \Self.allowedUsers, \Self.blockedUsers] {
      self[keyPath: path].subtract(old[keyPath: path].subtracting(new[keyPath: path]))
      self[keyPath: path].formUnion(new[keyPath: path].subtracting(old[keyPath: path]))
    }
  }

  /// Whether the user publishes its audio, or a part of it.
  package var isPublishing: Bool { publishes && (publishesMicrophone || publishesCustomAudio || publishesMixedFile) }

  /// Whether only reports of the user about itself differ: its music, and the quality of its paths.
  func differsByReports(from other: ChannelSettings) -> Bool {
    var settings = self
    (settings.playsMusic, settings.quality) = (other.playsMusic, other.quality)
    return settings == other
  }

  /// Whether the user sends no audio, as the others see it.
  package var isSilent: Bool { isMuted || isSourceMuted }

  /// Options of the present role.
  package var roleOptions: ClientRoleOptions {
    ClientRoleOptions(of: role, audienceLatencyLevel: audienceLatencyLevel)
  }

  /// Whether the listener wants the packets of a user: by the lists, or else it subscribes, and has not muted the user.
  package func hears(_ uid: UInt32) -> Bool {
    subscribes(to: uid) ?? (autoSubscribe && !isEveryoneMuted) && !mutes(uid)
  }

  /// Users with options of their own.
  var namedUsers: Set<UInt32> { mutedUsers.union(allowedUsers).union(blockedUsers) }

  /// Whether the listener subscribes to a user by name; nil for a user that is on no list.
  func subscribes(to uid: UInt32) -> Bool? {
    if blockedUsers.contains(uid) { return false }
    return allowedUsers.contains(uid) ? true : nil
  }

  /// Whether a mute of a user counts: the lists come before it.
  func mutes(_ uid: UInt32) -> Bool { subscribes(to: uid) == nil && mutedUsers.contains(uid) }
}
