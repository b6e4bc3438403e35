import NetworkIO
import Signalling

/// A user in a channel.
final class Member: TimedObject {
  /// Options of a listener for one user.
  struct Options: Equatable {
    var subscribes: Bool?
    var muted = false
  }

  let uid: UInt32
  let account: UserAccount?
  unowned let session: Session
  unowned let channel: Channel
  /// Other channels in which the user is heard; nil without any.
  var relay: MediaRelay?
  /// For a user that is heard here and joined elsewhere: its relay; nil for any other user.
  unowned var origin: MediaRelay?
  /// Rights of the join's own token; nil if the session's count.
  var ownGrant: TokenGrant?
  /// Text of the join for the log; nil if the session's counts.
  var info: String?
  var role = ClientRole.audience
  var wantsToPublish = false
  var isMuted = false
  var report = MemberReport()
  var autoSubscribe = true
  var options: [UInt32: Options] = [:]
  /// Publishers that the user wants to hear at the same time; nil for as many as the relay lets it.
  var wantedSpeakers: Int?
  /// Reports of the publishers that the user hears then.
  var speakerReport = SpeakerReport(isWanted: false)
  /// Made with the member; only `media` uses it.
  private var heldMedia: MediaUser!
  /// Rate of the changes that others hear of: each goes to all of them.
  var announcements = RateLimit(perSecond: 10, burst: 10)
  /// Change that waits for its report: the appearance that others know, and the time of the report; nil for none.
  var unannounced: (appearance: MemberAppearance, reportNanoseconds: Int)?

  init(_ uid: UInt32, _ account: UserAccount?, _ session: Session, _ channel: Channel, nowNanoseconds: Int) {
    self.uid = uid
    self.account = account
    self.session = session
    self.channel = channel
    super.init()
    heldMedia = MediaUser(self, nowNanoseconds: nowNanoseconds)
  }

  // MARK: Media

  /// The user's media, of which the signalling takes hold.
  var media: MediaUser {
    channel.forwarder.enter()
    return heldMedia
  }

  var peer: MediaPeer? {
    get { media.peer }
    set { media.peer = newValue }
  }
  var stream: PublishedStream { media.stream }
  var legs: [UInt32: ForwardingLeg] { media.legs }
  /// Time of the last packet, or of the session's last message; without a media connection, messages do not count.
  var heardNanoseconds: Int {
    get { peer == nil ? media.heardNanoseconds : max(media.heardNanoseconds, session.messageNanoseconds) }
    set { media.heardNanoseconds = newValue }
  }

  /// Reports the user's rights to the forwarder.
  func allowMedia() {
    let media = media
    (media.mayPublish, media.publishes, media.isMuted) = (mayPublish, publishes, isMuted)
    media.data?.maySend = rights.contains(.data) && isVisible
    media.data?.mayReceive = rights.contains(.subscribe)
  }

  /// SSRCs of messages as the user's rights have them; nil for a user that takes none.
  var dataSources: DataSources? {
    media.data.map { DataSources(sent: rights.contains(.data) ? $0.ssrc : nil, received: $0.listenerSSRC) }
  }

  // MARK: Rights

  /// The client for the log, with the member's own text.
  var client: ClientDescription? {
    var client = session.client
    if let info { client?.info = info }
    return client
  }

  var identity: UserIdentity { account.map { .account($0) } ?? .uid(uid) }
  var rights: TokenRights { ownGrant?.rights ?? session.grant.rights }

  /// Whether the role, the rights and the profile let the user publish.
  var mayPublish: Bool { mayPublish(with: rights) }

  /// Whether the user publishes.
  var publishes: Bool { wantsToPublish && mayPublish }

  /// Whether the user counts for the limit of publishers.
  var countsAsPublisher: Bool { !hasLeftEarly && countsAsPublisher(with: rights) }

  /// Whether other users hear of this one: in profiles with roles, broadcasters only.
  var isVisible: Bool { isVisible(with: rights) }

  /// Whether the user would count for the limit of publishers with these rights.
  func countsAsPublisher(with rights: TokenRights) -> Bool {
    channel.profile.hasRoles ? isVisible(with: rights) : wantsToPublish && mayPublish(with: rights)
  }

  private func isVisible(with rights: TokenRights) -> Bool {
    !rights.contains(.hidden) && (!channel.profile.hasRoles || role == .broadcaster)
  }

  private func mayPublish(with rights: TokenRights) -> Bool { rights.contains(.publish) && isVisible(with: rights) }

  /// Whether the user has gone before its first packet: its connection has ended, and no media has come.
  private var hasLeftEarly: Bool { origin == nil && session.connection == nil && peer?.address == nil }

  /// Whether this listener subscribes to a user.
  func subscribes(to uid: UInt32) -> Bool {
    rights.contains(.subscribe) && (options[uid]?.subscribes ?? autoSubscribe)
  }

  /// Whether packets of a user go to this listener.
  func hears(_ uid: UInt32) -> Bool { subscribes(to: uid) && options[uid]?.muted != true }

  /// Description for a listener.
  func user(for listener: Member) -> ChannelUser {
    ChannelUser(
      uid: uid, account: account, muted: isMuted, publishes: publishes, music: report.playsMusic,
      quality: report.announcedQuality,
      ssrc: listener.subscribes(to: uid) ? listener.legs[uid]?.ssrc : nil)
  }
}
