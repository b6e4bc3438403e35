import Engine
import MediaStreams
import Signalling

/// Reports about the local user for the others of a channel, and about the others.
extension RtcConnection {
  /// Lets the other users know whether the local user sends music.
  func setMusic(_ isPlaying: Bool) {
    use { channel, now in
      var settings = channel.membership.settings
      let isHeard = isPlaying && settings.publishesMixedFile
      guard settings.playsMusic != isHeard else { return }
      settings.playsMusic = isHeard
      channel.membership.update(settings, nowNanoseconds: now)
    }
  }

  /// Takes a change of the local voice in the pipeline: a mute, or another number of channels.
  func takeLocalChange(isMuted: Bool) {
    use { channel, now in
      channel.followLocalChannels(now)
      var settings = channel.membership.settings
      guard settings.isSourceMuted != isMuted else { return }
      settings.isSourceMuted = isMuted
      channel.membership.update(settings, nowNanoseconds: now)
      channel.applySettings()
    }
  }

  /// Takes the quality of the local user's paths: the other users hear of another grade, and users without a stream
  /// here have a report of their own.
  func takeOwnQuality(_ report: NetworkQualityReport) {
    let users = use { channel, now -> [ChannelUser] in
      var settings = channel.membership.settings
      let quality = UserQuality(sent: report.sent.rawValue, received: report.received.rawValue)
      if settings.quality != quality {
        settings.quality = quality
        channel.membership.update(settings, nowNanoseconds: now)
      }
      return channel.membership.users.values.filter { channel.media.received($0.uid) == nil }
    }
    for user in (users ?? []).sorted(by: { $0.uid < $1.uid }) {
      let none = NetworkQualityReport(uid: user.uid, channelID: channel, sent: .unknown, received: .unknown)
      self.report(.networkQuality(none))
    }
  }

  /// Returns the report about a user, with the quality of its own paths as far as it is known.
  func completed(_ report: NetworkQualityReport) -> NetworkQualityReport {
    guard report.uid != 0, report.channelID == channel,
      let user = use({ channel, _ in channel.membership.users[report.uid] }) ?? nil,
      let quality = user.quality
    else { return report }
    return NetworkQualityReport(
      uid: report.uid, channelID: report.channelID, sent: NetworkQuality(rawValue: quality.sent) ?? .unknown,
      received: NetworkQuality(rawValue: quality.received) ?? .unknown)
  }
}
