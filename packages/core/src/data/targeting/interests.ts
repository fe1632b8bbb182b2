/**
 * Interests: a taxonomy of categories with their parts. A value is a thousand times the position of the category plus
 * the position within it, so both lists may only grow at their ends.
 */
import { entriesOf, headAndRest, itemsOf, OptionTable } from './option-table.ts';

const INTERESTS = `
Books and literature: Biographies and memoirs, Children's books, Comics and manga, Cookbooks, Crime and mystery, Fantasy, Historical novels, Poetry, Science fiction, Short stories, Travel writing
Automotive: Car repair, Classic cars, Electric cars, Motor racing, Motorcycles, New car purchase, Off-road driving, Trucks and vans
Beauty: Fragrance, Hair care, Make-up, Nail care, Shaving and grooming, Skin care
Business: Accounting, Advertising and marketing, Entrepreneurship, Human resources, Leadership, Logistics, Office supplies, Remote work, Small business
Careers: Job search, Interviews, Internships, Nursing careers, Teaching careers, Trades and crafts
Education: Adult education, Exam preparation, Language learning, Libraries, Museums, Online courses, School life, University life
Events: Book fairs, Concerts, Exhibitions, Festivals, Theatre nights, Trade fairs, Weddings
Family and parenting: Adoption, Babies and toddlers, Family travel, Homeschooling, Parenting teens, Pregnancy, Toys
Food and drink: Baking, Barbecue, Beer, Cheese, Chocolate, Coffee, Fine dining, Street food, Tea, Vegan cooking, Vegetarian cooking, Wine
Gaming: Board games, Card games, Console games, Esports, Indie games, Mobile games, Role-playing games, Strategy games, Virtual reality games
Health: Allergies, Dental care, Healthy eating, Heart health, Meditation, Mental health, Sleep, Yoga
Fitness: Cycling workouts, Dance workouts, Home workouts, Pilates, Running, Strength training, Walking
Hobbies: Astronomy, Bird watching, Calligraphy, Collecting, Drawing, Genealogy, Knitting, Magic tricks, Model building, Photography, Pottery, Puzzles, Sewing, Woodworking
Home and garden: Cleaning, Decorating, Flower gardens, Furniture, Home improvement, House plants, Kitchen gardens, Lighting, Smart home
Law and government: Civic engagement, Elections, Foreign policy, Local government, Public transport policy, Tax law
Life stages: Buying a home, Getting married, Graduating, Moving house, New parents, Retiring
Movies: Action films, Animated films, Classic films, Comedy films, Documentaries, Drama films, Horror films, Independent films, Musicals, Romance films, Science fiction films, Short films
Music: Blues, Choirs, Classical music, Country music, Dance music, Folk music, Hip hop, Jazz, Metal, Music production, Musical instruments, Opera, Pop, Reggae, Rock, Soul
News: Business news, Environment news, International news, Local news, Science news, Technology news, Weather
Personal finance: Banking, Budgeting, Credit cards, Insurance, Investing, Mortgages, Pensions, Saving
Pets: Aquariums, Birds, Cats, Dogs, Horses, Pet adoption, Reptiles, Small animals
Science: Archaeology, Biology, Chemistry, Climate, Geology, Mathematics, Oceans, Physics, Psychology, Space
Shopping: Antiques, Bargains, Gifts, Groceries, Online shopping, Second-hand shopping, Sustainable shopping
Society: Charity, Dating, Etiquette, Philosophy, Religion and belief, Sustainability, Volunteering
Sports: Athletics, Badminton, Baseball, Basketball, Boxing, Climbing, Cricket, Cycling, Football, Golf, Gymnastics, Handball, Hockey, Horse riding, Martial arts, Rowing, Rugby, Sailing, Skiing, Surfing, Swimming, Table tennis, Tennis, Volleyball
Style and fashion: Accessories, Jewellery, Men's fashion, Shoes, Street style, Sustainable fashion, Vintage clothing, Watches, Women's fashion
Technology: Artificial intelligence, Audio equipment, Computer programming, Databases, Drones, Laptops, Network security, Open source, Photography equipment, Robotics, Smartphones, Wearables, Web design
Television: Comedy series, Cooking shows, Crime series, Game shows, News programmes, Reality shows, Science fiction series, Talk shows
Travel: Adventure travel, Air travel, Beaches, Business travel, Camping, City breaks, Cruises, Hiking, Hotels, Islands, Rail travel, Road trips, Ski trips
Crafts and making: Electronics kits, Jewellery making, Leather work, Paper craft, Soap making, 3D printing
`;

/** An interest. */
export interface InterestOption {
  /** `Category/Sub`. */
  readonly name: string;
  readonly targeting_type: 'INTEREST';
  readonly targeting_value: string;
}

export const interests: OptionTable<InterestOption> = new OptionTable(() =>
  entriesOf(INTERESTS).flatMap((line, category) => {
    const [head, rest] = headAndRest(line);
    return itemsOf(rest).map((sub, place) => ({
      name: `${head}/${sub}`,
      targeting_type: 'INTEREST' as const,
      targeting_value: `${(category + 1) * 1000 + place + 1}`,
    }));
  }),
);
