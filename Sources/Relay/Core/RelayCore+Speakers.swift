internal import Signalling

/// Reports of the speakers that listeners hear.
extension RelayCore {
  /// Takes the news of a forwarder that a listener hears other speakers. Reports have a distance of 1 s or more.
  func noteSpeakers(of member: Member, _ now: Int) {
    member.speakerReport.request()
    reportSpeakers(to: member, now)
    schedule(member)
  }

  /// Makes the report that is due, if the client does not know the speakers.
  func reportSpeakers(to member: Member, _ now: Int) {
    guard let due = member.speakerReport.dueNanoseconds, now >= due else { return }
    member.speakerReport.dueNanoseconds = nil
    let media = member.media
    guard media.peer != nil else { return }
    if media.speakers.news == .noted { media.speakers.news = .known }
    let users: [UInt32]? =
      media.speakers.limit == nil
      ? nil : Array(media.speakers.legs.map(\.publisherUID).sorted().prefix(MessageLimits.userCount))
    guard users != member.speakerReport.known else { return }
    member.speakerReport.known = users
    member.speakerReport.reportedNanoseconds = now
    post(.speakers(SpeakersEvent(channel: member.channel.name, users: users)), to: member.session.connection)
  }
}
