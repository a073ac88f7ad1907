// The roles of staff.
import { say, type Pair } from '../words'

export const roles: Record<string, Pair> = {
  owner: ['Owner', 'مالک'],
  manager: ['Manager', 'مدیر'],
  editor: ['Editor', 'ویراستار'],
  moderator: ['Moderator', 'ناظر'],
  support: ['Support', 'پشتیبان'],
}

export const roleName = (role: string): string => (roles[role] ? say(roles[role]) : role)
