import Signalling

/// Properties of a member that other users hear of.
struct MemberAppearance: Equatable {
  let isVisible: Bool
  let isMuted: Bool
  let publishes: Bool
  let playsMusic: Bool
  let quality: UserQuality?

  init(_ member: Member) {
    isVisible = member.isVisible
    isMuted = member.isMuted
    publishes = member.publishes
    playsMusic = member.report.playsMusic
    quality = member.report.announcedQuality
  }
}
