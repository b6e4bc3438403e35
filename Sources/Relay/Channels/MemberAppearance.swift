/// Properties of a member that other users hear of.
struct MemberAppearance: Equatable {
  let isVisible: Bool
  let isMuted: Bool
  let publishes: Bool

  init(_ member: Member) {
    isVisible = member.isVisible
    isMuted = member.isMuted
    publishes = member.publishes
  }
}
